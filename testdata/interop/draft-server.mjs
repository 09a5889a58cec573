// A server of mcp-use, which speaks a draft from before the extension was final:
// it serves the folder skills/ and lists digests without sizes.
// usage: node draft-server.mjs PORT
import { MCPServer } from "mcp-use";

const server = new MCPServer({ name: "draft", version: "1.0.0" });
await server.listen({ port: Number(process.argv[2]), host: "127.0.0.1" });
