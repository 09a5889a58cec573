// Command server is a complete MCP server of a team: a tool, and the skills that
// say how to use it, compiled in.
//
// Its skills lie in the folder skills beside this file. After a change there, run
// go generate: it writes skills_gen.go, which the program serves. A server that
// was built without that refuses to start and says what differs.
//
// It talks to the client that starts it, or with -http to any client:
//
//	go run ./examples/server -http 127.0.0.1:8080
package main

import (
	"context"
	"flag"
	"log"
	"net/http"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/skillpack/skillpack/serve"
)

//go:generate go tool skillpack build ./skills

func main() {
	log.SetFlags(0)
	log.SetPrefix("server: ")
	address := flag.String("http", "", "serve streamable HTTP on this `address` instead of stdio")
	flag.Parse()
	server, err := newServer()
	if err != nil {
		log.Fatal(err)
	}
	if *address == "" {
		if err := server.Run(context.Background(), &mcp.StdioTransport{}); err != nil {
			log.Fatal(err)
		}
		return
	}
	handler := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, &mcp.StreamableHTTPOptions{Stateless: true})
	log.Fatal(http.ListenAndServe(*address, http.NewCrossOriginProtection().Handler(handler)))
}

// newServer returns the server with its tool and its skills.
func newServer() (*mcp.Server, error) {
	server := mcp.NewServer(&mcp.Implementation{Name: "csv", Version: "1.0.0"}, &mcp.ServerOptions{
		Instructions: "Profiles CSV files before they are loaded.",
	})
	mcp.AddTool(server, &mcp.Tool{
		Name:        "profile_csv",
		Description: "Counts rows, broken lines, and each column's type, empty cells and distinct values.",
	}, profileTool)
	return server, serve.Register(server, Manifest, ReadFile, serve.WithInstructions())
}
