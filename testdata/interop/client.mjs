// The official TypeScript SDK as a host of skills: client.mjs MODE URL, or
// client.mjs MODE COMMAND ARG… for stdio, with MODE legacy or auto. It lists,
// gets, reads and walks everything with the SDK's SkillsClient, which refuses
// what its schemas do not hold, and prints what it found as one JSON object.
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { SkillsClient } from "@modelcontextprotocol/client/ext/skills";

const [mode, target, ...args] = process.argv.slice(2);
const client = new Client({ name: "interop", version: "1.0.0" }, { versionNegotiation: { mode } });
await client.connect(target.includes("://") ? new StreamableHTTPClientTransport(new URL(target)) : new StdioClientTransport({ command: target, args }));
const host = new SkillsClient(client);

const { skills, ttlMs } = await host.list();
const hints = new Set([ttlMs]); // of every result that may be kept
let got = 0;
let verified = 0;
const walked = new Set();
async function walk(uri) {
  const { resources, ttlMs } = await host.readDirectory(uri);
  hints.add(ttlMs);
  for (const child of resources) {
    if (child.mimeType === "inode/directory") await walk(child.uri);
    else walked.add(child.uri);
  }
}
for (const listed of skills) {
  const { skill, ttlMs } = await host.get(listed.uri);
  hints.add(ttlMs);
  if (JSON.stringify(skill) === JSON.stringify(listed)) got++;
  for (const { uri } of listed.resources) if ((await host.read(skill, uri)).verified) verified++;
  if (host.directoryRead) await walk(listed.uri.slice(0, -"/SKILL.md".length));
}
const { resources } = await client.listResources();

const any = { "~standard": { version: 1, vendor: "none", validate: (value) => ({ value }) } };
const code = (method, params) => client.request({ method, params }, any).then(() => 0, (error) => error.code);
const errors = [
  await code("skills/get", { uri: "skill://nobody/SKILL.md" }), await code("skills/get", {}),
  await code("resources/directory/read", { uri: skills[0].uri }), await code("resources/read", { uri: "skill://nobody/x" }),
  await code("skills/list", { cursor: "nobody" }),
];
console.log(JSON.stringify({
  protocol: client.getNegotiatedProtocolVersion(), directoryRead: host.directoryRead, skills: skills.length, got, verified, walked: walked.size,
  resources: resources.length, hints: [...hints].filter((ttl) => ttl !== undefined), errors,
}));
await client.close();
