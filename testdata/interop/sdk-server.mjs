// The official TypeScript SDK as a server of skills: sdk-server.mjs DIR serves
// over stdio, sdk-server.mjs DIR --http over streamable HTTP on a free port of
// the loopback, printing its URL.
import { createServer } from "node:http";
import { McpServer, createMcpHandler } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { loadSkills } from "@modelcontextprotocol/server/ext/skills/node";
import { toNodeHandler } from "@modelcontextprotocol/node";

const [dir, transport] = process.argv.slice(2);
const skills = await loadSkills(dir);

function server() {
  const s = new McpServer({ name: "sdk", version: "2.4.0" });
  skills.attach(s);
  return s;
}

if (transport === "--http") {
  const http = createServer(toNodeHandler(createMcpHandler(server)));
  http.listen(0, "127.0.0.1", () => console.log(`http://127.0.0.1:${http.address().port}/`));
} else {
  serveStdio(server);
}
