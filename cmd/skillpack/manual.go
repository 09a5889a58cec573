package main

import (
	"strings"

	"github.com/urfave/cli/v3"

	"github.com/skillpack/skillpack/internal/config"
	"github.com/skillpack/skillpack/internal/lazyregexp"
)

// manual is what the reference says of a command beyond its flags, which stand
// with the command. docs/commands and the manual pages are made from both.
type manual struct {
	about string   // what it does, in a paragraph
	exits []meant  // its exit statuses, ascending
	reads []meant  // the environment variables that it reads
	files []string // names of the files of [knownFiles] that it reads or writes
}

// meant is a word and what it means.
type meant struct{ word, means string }

// What more than one command says.
var (
	exitUsage   = meant{"2", "the command line or the configuration is wrong, or a file cannot be read or written"}
	exitPartly  = meant{"2", "the job could not be done, or not completely: wrong usage, unreadable input, a listing cut short, nothing to compare with"}
	exitNothing = meant{"0", "nothing to report; warnings are allowed without --strict"}
	readsColor  = []meant{
		{"NO_COLOR", "when not empty, --color auto uses no colour"},
		{"TERM", "when it is dumb, --color auto uses no colour"},
	}
	treeFiles = []string{config.File, ".skillpackignore"}
)

// knownFiles are the files that commands read or write by their default names.
var knownFiles = []meant{
	{config.File, "the configuration, read from the working directory; flags win over it"},
	{".skillpackignore", "at the top of the skills directory: patterns of files that are part of no skill, one a line"},
	{defaultManifest, "the manifest: what a server must return from skills/list"},
	{defaultGo, "the same, and the bytes of every file, compiled into a Go package"},
}

// manuals holds an entry for every command, by its name; a test holds it
// complete.
var manuals = map[string]manual{
	"skillpack": {
		about: "skillpack compiles directories of Agent Skills into what an MCP server with the Skills extension (SEP-2640) must list and serve, and checks that a running server serves just that. Findings go to stdout in the form that --format names; notes, the closing count and the reason of a failure go to stderr.",
		exits: []meant{
			exitNothing,
			{"1", "findings of severity error, stale outputs, drift"},
			exitPartly,
			{"3", "the server refused the credentials"},
			{"4", "the server could not be reached, or did not answer in time"},
		},
		files: []string{config.File, ".skillpackignore", defaultManifest, defaultGo},
	},
	"build": {
		about: "Checks the skills directory DIR, and writes the manifest and the Go file: both, or neither when a rule finds an error. An output that would not change is not touched. An output path of - puts that file on stdout and the findings on stderr. With --check nothing is written, and the files on disk are compared with what would be.",
		exits: []meant{
			{"0", "the outputs are written, or were up to date; warnings are allowed without --strict"},
			{"1", "a rule found an error, and nothing was written; with --check: an output is missing or stale"},
			exitUsage,
		},
		reads: append([]meant{{"GOPACKAGE", "the package of the Go file without --package, as go generate sets it"}}, readsColor...),
		files: append(treeFiles, defaultManifest, defaultGo),
	},
	"check": {
		about: "Holds the skills directory DIR against every rule and writes nothing. With --fix, what a machine can fix without a guess is fixed first, and every other byte stays as it is; with --diff that is shown as a patch instead. No fix changes what a client that loads the skill does with it: what a client acts on, such as the boolean metadata.internal, is left to you.",
		exits: []meant{exitNothing, {"1", "a rule found an error, also after --fix"}, exitUsage},
		reads: readsColor,
		files: treeFiles,
	},
	"lint": {
		about: "Connects to a running server over streamable HTTP, or starts COMMAND and speaks to it over stdio, and compares what it lists with the manifest that was built. Without --verify only listings are read; with it every listed file is fetched and its size, digest and frontmatter compared. A directory in place of the URL is checked as by check.",
		exits: []meant{
			{"0", "the server serves what was built; warnings are allowed without --strict"},
			{"1", "drift, a broken rule, or with --verify bytes that do not verify"},
			exitPartly,
			{"3", "the server refused the credentials"},
			{"4", "the server could not be reached, or did not answer in time"},
		},
		reads: append([]meant{
			{"VAR", "any variable that ${VAR} names in a --header, in a server of " + config.File + " or of --mcp-config; one that is unset or empty is an error"},
			{"HTTPS_PROXY, HTTP_PROXY, NO_PROXY", "the proxy for a server over HTTP"},
			{"SSL_CERT_FILE, SSL_CERT_DIR", "on Unix other than macOS: the certificates to trust, in place of the system's"},
		}, readsColor...),
		files: append(treeFiles, defaultManifest),
	},
	"diff": {
		about: "Compares two manifests and names the skills, files and frontmatter fields that differ. Each of OLD and NEW is a manifest file or a skills directory, which is built in memory.",
		exits: []meant{{"0", "they are the same"}, {"1", "they differ"}, exitUsage},
		reads: readsColor,
		files: treeFiles,
	},
	"serve": {
		about: "Serves the skills to an MCP client, for protocol revisions 2026-07-28 and 2025-11-25: over stdio to a client that starts it, or with --http to any that connects. Every file is held against the manifest before a client is answered.",
		exits: []meant{
			{"0", "it was told to stop, or the client closed its end"},
			{"1", "a rule found an error, or the directory is not what the manifest says: nothing was served"},
			exitUsage,
		},
		reads: readsColor,
		files: append(treeFiles, defaultManifest),
	},
	"rules": {
		about: "Lists every rule with its severity and what breaks it, or explains one: why a host minds, a bad and a good example, and the fix.",
		exits: []meant{{"0", "printed"}, {"2", "there is no such rule, or the command line is wrong"}},
	},
	"schema": {
		about: "Prints a JSON Schema (2020-12), for editors and for programs that read or write the files.",
		exits: []meant{{"0", "printed"}, {"2", "there is no such schema, or the command line is wrong"}},
	},
	"init": {
		about: "Writes a SKILL.md that breaks no rule, in a new folder NAME of the skills directory; NAME may have folders before it. On a terminal, what is not given is asked for. A folder that exists is left as it is.",
		exits: []meant{{"0", "the skill is written"}, exitUsage},
		files: []string{config.File},
	},
	"version": {
		about: "Prints the version, the commit and its time, the Go release and platform, and the revisions of protocol and specification that the program implements. A module that go install fetched names no commit; its version does.",
		exits: []meant{{"0", "printed"}, {"2", "the command line is wrong"}},
	},
	"completion": {
		about: "Prints the script that lets a shell complete commands, flags, rule ids, formats, schemas and the servers of " + config.File + ".",
		exits: []meant{{"0", "printed"}, {"2", "there is no script for that shell"}},
	},
	"man": {
		about: "Prints the manual page of COMMAND, or of skillpack itself, as man(7) source. With --dir every page is written into a directory, for those who package the program.",
		exits: []meant{{"0", "printed, or written"}, {"2", "there is no such command, or a page cannot be written"}},
		reads: []meant{{sourceDate, "the date of the pages in seconds since 1970, for builds that must come out the same; without it, that of the commit"}},
	},
}

// documented returns the root command and those that have a page, in the order
// of the help.
func documented(root *cli.Command) []*cli.Command {
	all := []*cli.Command{root}
	for _, cmd := range root.Commands {
		if cmd.Name != "help" {
			all = append(all, cmd)
		}
	}
	return all
}

// synopsis returns the ways to call a command and its examples, one a line, as
// its help has them.
func synopsis(cmd *cli.Command) (forms, examples []string) {
	above, below, _ := strings.Cut(cmd.UsageText, "\n\nEXAMPLES:\n")
	for _, line := range strings.Split(below, "\n") {
		examples = append(examples, strings.TrimSpace(line))
	}
	return strings.Split(above, "\n"), examples
}

// option is a flag as the reference shows it.
type option struct {
	names    string // all of them: "--manifest, -m"
	value    string // the name of its value, "" for a switch
	about    string
	fallback string // what holds without it, "" for nothing
}

var statedDefault = lazyregexp.New(`[ ;,]*\(?default: ([^()]*)\)$`)

// optionsOf returns the flags of a command but --help, which each has.
func optionsOf(cmd *cli.Command) []option {
	var options []option
	for _, f := range cmd.VisibleFlags() {
		d, ok := f.(cli.DocGenerationFlag)
		if !ok || f.Names()[0] == "help" {
			continue
		}
		var names []string
		for _, name := range f.Names() {
			names = append(names, map[bool]string{true: "-", false: "--"}[len(name) == 1]+name)
		}
		o := option{names: strings.Join(names, ", "), about: d.GetUsage()}
		if d.TakesValue() {
			o.value = "VALUE"
			if parts := strings.Split(o.about, "`"); len(parts) == 3 {
				o.value, o.about = parts[1], strings.Join(parts, "")
			}
			o.fallback = strings.Trim(d.GetValue(), `"`)
		}
		if m := statedDefault().FindStringSubmatchIndex(o.about); m != nil {
			o.about, o.fallback = o.about[:m[0]], o.about[m[2]:m[3]]
		}
		options = append(options, o)
	}
	return options
}

// pageName is the name of a command's manual page, without its section.
func pageName(cmd *cli.Command) string {
	if cmd.Root() == cmd {
		return cmd.Name
	}
	return cmd.Root().Name + "-" + cmd.Name
}
