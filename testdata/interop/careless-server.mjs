// What goes wrong most often, in one server: it lists the manifest that it loaded
// when it started, and reads every file again, as text. careless-server.mjs
// skills.manifest.json ./skills serves over stdio, with --http over streamable
// HTTP on a free port of the loopback, printing its URL.
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { Server, createMcpHandler } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { toNodeHandler } from "@modelcontextprotocol/node";

const [manifestFile, dir, transport] = process.argv.slice(2);
const { skills } = JSON.parse(readFileSync(manifestFile, "utf8"));
const cache = { ttlMs: 0, cacheScope: "public" };
const anyParams = { params: { "~standard": { version: 1, vendor: "none", validate: (value) => ({ value: value ?? {} }) } } };

function server() {
  const s = new Server({ name: "careless", version: "1.0.0" }, {
    capabilities: { resources: {}, extensions: { "io.modelcontextprotocol/skills": {} } },
  });
  s.setRequestHandler("skills/list", anyParams, () => ({ resultType: "complete", skills, ...cache }));
  s.setRequestHandler("resources/read", ({ params: { uri } }) => {
    const text = readFileSync(join(dir, decodeURIComponent(uri.slice("skill://".length))), "utf8");
    return { contents: [{ uri, mimeType: uri.endsWith(".md") ? "text/markdown" : "text/plain", text }], ...cache };
  });
  return s;
}

if (transport === "--http") {
  const http = createServer(toNodeHandler(createMcpHandler(server)));
  http.listen(0, "127.0.0.1", () => console.log(`http://127.0.0.1:${http.address().port}/`));
} else {
  serveStdio(server);
}
