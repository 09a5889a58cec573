// Serves what skillpack built: manifest-server.mjs skills.manifest.json ./skills
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ProtocolError, Server } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";

const [manifestFile, dir] = process.argv.slice(2);
const skills = [];
const files = new Map();
const folders = new Map();

// A build with --prefix has the prefix in front of each path: cut it off here.
const path = (uri) => uri.slice("skill://".length).split("/").map(decodeURIComponent).join("/");

// Every file once, checked against the manifest: a host refuses other bytes.
function load() {
  skills.push(...JSON.parse(readFileSync(manifestFile, "utf8")).skills);
  for (const { uri, digest, size } of skills.flatMap((skill) => skill.resources)) {
    const bytes = readFileSync(join(dir, path(uri)));
    const found = "sha256:" + createHash("sha256").update(bytes).digest("hex");
    if (bytes.length !== size || found !== digest) throw new Error(`${uri} is not what the manifest says: run skillpack build`);
    const name = path(uri).split("/").pop();
    const mimeType = name.endsWith(".md") ? "text/markdown" : isText(bytes) ? "text/plain" : "application/octet-stream";
    if (!files.has(uri)) files.set(uri, { bytes, resource: { uri, name, mimeType, size } });
    // The folders above the file, up to the first segment.
    for (let child = files.get(uri).resource, at = uri.lastIndexOf("/"); at > "skill://".length; at = child.uri.lastIndexOf("/")) {
      const folder = child.uri.slice(0, at);
      if (!folders.has(folder)) folders.set(folder, new Map());
      folders.get(folder).set(child.uri, child);
      child = { uri: folder, name: path(folder).split("/").pop(), mimeType: "inode/directory" };
    }
  }
}
try {
  load();
} catch (error) {
  console.error(`the skills cannot be served: ${error.message}`); // stdout is the client's
  process.exit(1);
}
const byURI = new Map(skills.map((skill) => [skill.uri, skill]));
for (const { uri, frontmatter } of skills) Object.assign(files.get(uri).resource, { name: frontmatter.name, description: frontmatter.description });

function isText(bytes) {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

// One text or one blob, with the URI that was asked for; a BOM stays where it is.
function content(uri, { bytes, resource: { mimeType } }) {
  return isText(bytes) ? { uri, mimeType, text: bytes.toString("utf8") } : { uri, mimeType, blob: bytes.toString("base64") };
}

function found(map, uri, what) {
  if (!map.has(uri)) throw new ProtocolError(-32602, `no ${what} is served at ${JSON.stringify(uri)}`);
  return map.get(uri);
}

const cache = { ttlMs: 300000, cacheScope: "public" };
const anyParams = { params: { "~standard": { version: 1, vendor: "none", validate: (value) => ({ value: value ?? {} }) } } };
const onePage = ({ cursor }) => {
  if (cursor !== undefined) throw new ProtocolError(-32602, "this server gives no cursors");
};

const capabilities = { resources: {}, extensions: { "io.modelcontextprotocol/skills": { directoryRead: true } } };

function addSkills(s) {
  s.setRequestHandler("skills/list", anyParams, (params) => (onePage(params), { resultType: "complete", skills, ...cache }));
  s.setRequestHandler("skills/get", anyParams, ({ uri }) => ({ resultType: "complete", skill: found(byURI, uri, "skill"), ...cache }));
  s.setRequestHandler("resources/directory/read", anyParams, ({ uri, ...params }) => {
    onePage(params);
    return { resultType: "complete", resources: [...found(folders, uri, "directory").values()], ...cache };
  });
  s.setRequestHandler("resources/list", () => ({ resources: [...files.values()].map((file) => file.resource), ...cache }));
  s.setRequestHandler("resources/templates/list", () => ({ resourceTemplates: [], ...cache }));
  s.setRequestHandler("resources/read", ({ params: { uri } }) => ({ contents: [content(uri, found(files, uri, "resource"))], ...cache }));
  return s;
}

// The server: skills and nothing else, over stdio.
serveStdio(() => addSkills(new Server({ name: "manifest", version: "1.0.0" }, { capabilities })));
