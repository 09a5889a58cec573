package lint

// outputRules are about the files that the build writes.
var outputRules = []Rule{
	{
		ID: "output-missing", Severity: Error, Where: Output, Required: true,
		Breaks: "`build --check`: the manifest or the Go file does not exist",
		Why:    "The server is built from a file that is not there, or from one that nobody committed.",
		Spec:   "https://go.dev/blog/generate",
		Bad:    "$ cat .gitignore\nskills.manifest.json\nskills_gen.go",
		Good:   "$ git ls-files\nskills.manifest.json\nskills_gen.go",
		Fix:    "Run skillpack build and commit what it writes.",
	},
	{
		ID: "output-stale", Severity: Error, Where: Output, Required: true,
		Breaks: "`build --check`: the manifest or the Go file is not what the build would write now",
		Why:    "The server would list digests of older files, and hosts would refuse every skill that changed since.",
		Spec:   skillsSpec + "#verification-on-read",
		Bad:    "edit skills/refunds/SKILL.md\ngit commit -a",
		Good:   "edit skills/refunds/SKILL.md\nskillpack build ./skills\ngit commit -a",
		Fix:    "Run skillpack build and commit what it writes.",
	},
}
