// The official TypeScript client as a host of skills: client.mjs MODE URL, or
// client.mjs MODE COMMAND ARG… for stdio, with MODE legacy or auto. It lists,
// gets, reads and walks everything, and prints what it found as one JSON object.
import { createHash } from "node:crypto";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";

const [mode, target, ...args] = process.argv.slice(2);
const client = new Client({ name: "interop", version: "1.0.0" }, { versionNegotiation: { mode } });
await client.connect(target.includes("://") ? new StreamableHTTPClientTransport(new URL(target)) : new StdioClientTransport({ command: target, args }));

const any = { "~standard": { version: 1, vendor: "none", validate: (value) => ({ value }) } };
const call = (method, params = {}) => client.request({ method, params }, any);

// pages walks a listing to its end.
async function pages(method, key, params = {}) {
  const all = [];
  for (let cursor; ; ) {
    const page = await call(method, cursor === undefined ? params : { ...params, cursor });
    all.push(...page[key]);
    cursor = page.nextCursor;
    if (cursor === undefined) return all;
  }
}

async function code(method, params) {
  try {
    await call(method, params);
    return 0;
  } catch (error) {
    return error.code;
  }
}

const skills = await pages("skills/list", "skills");
let got = 0;
let verified = 0;
const folders = new Set();
for (const listed of skills) {
  const { skill } = await call("skills/get", { uri: listed.uri });
  if (JSON.stringify(skill) === JSON.stringify(listed)) got++;
  for (const { uri, digest, size } of listed.resources) {
    const { contents } = await client.readResource({ uri });
    const [c] = contents;
    const bytes = c.text === undefined ? Buffer.from(c.blob, "base64") : Buffer.from(c.text, "utf8");
    const found = "sha256:" + createHash("sha256").update(bytes).digest("hex");
    if (contents.length === 1 && c.uri === uri && bytes.length === size && found === digest) verified++;
  }
  folders.add(listed.uri.slice("skill://".length).split("/")[0]);
}
let walked = 0;
async function walk(uri) {
  for (const child of await pages("resources/directory/read", "resources", { uri })) {
    if (child.mimeType === "inode/directory") await walk(child.uri);
    else walked++;
  }
}
for (const top of folders) await walk("skill://" + top);
const { resources } = await client.listResources();
const extension = client.getServerCapabilities().extensions["io.modelcontextprotocol/skills"];
const errors = [
  await code("skills/get", { uri: "skill://nobody/SKILL.md" }), await code("skills/get", {}),
  await code("resources/directory/read", { uri: skills[0].uri }), await code("resources/read", { uri: "skill://nobody/x" }),
  await code("skills/list", { cursor: "nobody" }),
];
console.log(JSON.stringify({ protocol: client.getNegotiatedProtocolVersion?.(), extension, skills: skills.length, got, verified, walked, resources: resources.length, errors }));
await client.close();
