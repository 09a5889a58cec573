// A server of skills in Node: server.mjs DIR serves over stdio, server.mjs DIR
// --http over streamable HTTP on a free port of the loopback, printing its URL.
import { createServer } from "node:http";
import { McpServer, createMcpHandler } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { toNodeHandler } from "@modelcontextprotocol/node";
import { discoverSkills, registerSkillResources } from "@olaservo/ext-skills/server";

const [dir, transport] = process.argv.slice(2);
const skills = discoverSkills(dir);

function server() {
  const s = new McpServer({ name: "node", version: "1.0.0" }, { capabilities: { resources: {} } });
  registerSkillResources(s, skills, dir, { template: true, directoryRead: true });
  return s;
}

if (transport === "--http") {
  const http = createServer(toNodeHandler(createMcpHandler(server)));
  http.listen(0, "127.0.0.1", () => console.log(`http://127.0.0.1:${http.address().port}/`));
} else {
  serveStdio(server);
}
