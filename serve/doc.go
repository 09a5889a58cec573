// Package serve puts skills on an MCP server made with the official Go SDK.
//
// A team whose skills are compiled into a Go package (see skillpack build)
// needs one import and one call:
//
//	server := mcp.NewServer(&mcp.Implementation{Name: "billing", Version: "1.0.0"}, nil)
//	if err := serve.Register(server, skills.Manifest, skills.ReadFile); err != nil {
//		log.Fatal(err)
//	}
//
// The server then answers skills/list, skills/get, resources/list,
// resources/read and resources/directory/read for the skills, and declares the
// extension and the resources capability. Its own tools, prompts and resources
// stay as they are. [New] and [Skills.Register] are the same in two steps, for
// a manifest that is at hand as a value, or that is replaced while the server
// runs ([Skills.Replace]).
//
// # What is checked at the start
//
// Every listed file is read once and held against its size and digest, and the
// frontmatter of every SKILL.md against its entry, since a host that finds a
// difference refuses the skill. With one difference nothing is served: the error
// is a [*VerifyError] that lists all of them. So an embedded file that is older
// or newer than the manifest cannot ship.
//
// # What is answered
//
// Entries are served as the manifest has them, in its order. A file is one
// content item with the requested URI: text where its bytes are UTF-8, else a
// blob. Another spelling of the same address (%2D for -) is answered as well.
// Folders are the skills' directories, the folders in them, and the folders
// above them. resultType, ttlMs and cacheScope are sent from protocol revision
// 2026-07-28 on. What is not served, a uri or a cursor that is no string, and a
// cursor that was never given out are error -32602.
//
// All answers are prepared when the server starts; a request looks one up. The
// package keeps every file in memory for that, in the form in which it is sent,
// and is safe for concurrent use.
//
// # What the package must not do
//
// It must not walk directories, build manifests, open connections or write logs:
// package bundle makes the manifest, and the caller runs the server.
package serve
