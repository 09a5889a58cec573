//go:build release

package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"debug/buildinfo"
	"debug/elf"
	"debug/macho"
	"debug/pe"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// released is what testdata/release/run has made: the folder, the version, the
// commit and its time, and the targets.
type released struct {
	dir, version, commit, time string
	targets                    []string // "linux_amd64"
}

func releaseOf(t *testing.T) released {
	t.Helper()
	get := func(name string) string {
		value := os.Getenv("RELEASE_" + name)
		if value == "" {
			t.Fatalf("RELEASE_%s is not set: run testdata/release/run", name)
		}
		return value
	}
	return released{get("DIST"), get("VERSION"), get("COMMIT"), get("TIME"), strings.Fields(get("BUILT"))}
}

func (r released) archive(target string) string {
	ending := ".tar.gz"
	if strings.HasPrefix(target, "windows") {
		ending = ".zip"
	}
	return fmt.Sprintf("skillpack_%s_%s%s", r.version, target, ending)
}

// packed is a file of an archive.
type packed struct {
	mode    os.FileMode
	content []byte
}

// unpack reads an archive.
func unpack(t *testing.T, path string) map[string]packed {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]packed{}
	add := func(name string, mode os.FileMode, r io.Reader) {
		content, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		files[name] = packed{mode, content}
	}
	if strings.HasSuffix(path, ".zip") {
		z, err := zip.NewReader(bytes.NewReader(text), int64(len(text)))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range z.File {
			r, err := f.Open()
			if err != nil {
				t.Fatal(err)
			}
			add(f.Name, f.Mode(), r)
		}
		return files
	}
	unzipped, err := gzip.NewReader(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	for r := tar.NewReader(unzipped); ; {
		h, err := r.Next()
		if err == io.EOF {
			return files
		}
		if err != nil {
			t.Fatal(err)
		}
		if h.Uname != "root" || h.Gname != "root" {
			t.Errorf("%s: %s belongs to %s:%s, which depends on who makes the release", filepath.Base(path), h.Name, h.Uname, h.Gname)
		}
		add(h.Name, h.FileInfo().Mode(), r)
	}
}

// TestReleaseArchives holds each archive to the list of what belongs in it, and
// its program to the target, the version and the commit.
func TestReleaseArchives(t *testing.T) {
	r := releaseOf(t)
	want := []string{"LICENSE", "README.md", "completions/_skillpack", "completions/skillpack.bash", "completions/skillpack.fish", "completions/skillpack.ps1"}
	for _, cmd := range documented(tree(t)) {
		want = append(want, "man/"+pageName(cmd)+".1")
	}
	for _, target := range r.targets {
		t.Run(target, func(t *testing.T) {
			goos, goarch, _ := strings.Cut(target, "_")
			binary := "skillpack"
			if goos == "windows" {
				binary += ".exe"
			}
			files := unpack(t, filepath.Join(r.dir, r.archive(target)))
			var names []string
			for name, f := range files {
				names = append(names, name)
				if perm := map[bool]os.FileMode{true: 0o755, false: 0o644}[name == binary]; f.mode.Perm() != perm {
					t.Errorf("%s has mode %v, want %v", name, f.mode, perm)
				}
				if len(f.content) < 100 {
					t.Errorf("%s has %d bytes", name, len(f.content))
				}
			}
			slices.Sort(names)
			expected := slices.Sorted(slices.Values(append(slices.Clone(want), binary)))
			if !slices.Equal(names, expected) {
				t.Fatalf("holds %q\nwant %q", names, expected)
			}
			checkProgram(t, files[binary].content, goos, goarch)
			info, err := buildinfo.Read(bytes.NewReader(files[binary].content))
			if err != nil {
				t.Fatal(err)
			}
			settings := map[string]string{}
			for _, s := range info.Settings {
				settings[s.Key] = s.Value
			}
			for key, value := range map[string]string{
				"-trimpath": "true", "CGO_ENABLED": "0", "GOOS": goos, "GOARCH": goarch,
				"vcs.revision": r.commit, "vcs.time": r.time, "vcs.modified": "false",
			} {
				if settings[key] != value {
					t.Errorf("the program says %s=%s, want %s", key, settings[key], value)
				}
			}
			if info.Main.Version != "v"+r.version {
				t.Errorf("the program is of version %s, want v%s", info.Main.Version, r.version)
			}
			page := string(files["man/skillpack-lint.1"].content)
			if title := fmt.Sprintf(`"%s" "skillpack v%s"`, r.time[:10], r.version); !strings.Contains(page, title) {
				t.Errorf("the manual page does not say %s: %.100q", title, page)
			}
		})
	}
}

// checkProgram reads the header of a program.
func checkProgram(t *testing.T, program []byte, goos, goarch string) {
	t.Helper()
	in := bytes.NewReader(program)
	var machine, want any
	var err error
	switch goos {
	case "linux":
		var f *elf.File
		if f, err = elf.NewFile(in); err == nil {
			machine, want = f.Machine, map[string]elf.Machine{"amd64": elf.EM_X86_64, "arm64": elf.EM_AARCH64}[goarch]
			if slices.ContainsFunc(f.Progs, func(p *elf.Prog) bool { return p.Type == elf.PT_INTERP }) {
				t.Error("the program needs libraries of its system, which the image does not have")
			}
		}
	case "darwin":
		var f *macho.File
		if f, err = macho.NewFile(in); err == nil {
			machine, want = f.Cpu, map[string]macho.Cpu{"amd64": macho.CpuAmd64, "arm64": macho.CpuArm64}[goarch]
		}
	case "windows":
		var f *pe.File
		if f, err = pe.NewFile(in); err == nil {
			machine, want = f.Machine, map[string]uint16{"amd64": pe.IMAGE_FILE_MACHINE_AMD64, "arm64": pe.IMAGE_FILE_MACHINE_ARM64}[goarch]
		}
	}
	if err != nil || machine == nil || machine != want {
		t.Errorf("the program is for machine %v, want %v (%v)", machine, want, err)
	}
}

// TestReleaseChecksums holds every file that is published to the list of sums.
func TestReleaseChecksums(t *testing.T) {
	r := releaseOf(t)
	text, err := os.ReadFile(filepath.Join(r.dir, "checksums.txt"))
	if err != nil {
		t.Fatal(err)
	}
	listed := map[string]string{}
	for line := range strings.Lines(string(text)) {
		sum, name, _ := strings.Cut(strings.TrimSpace(line), "  ")
		listed[name] = sum
	}
	want := []string{fmt.Sprintf("skillpack_%s_source.tar.gz", r.version)}
	for _, target := range r.targets {
		want = append(want, r.archive(target), fmt.Sprintf("skillpack_%s_%s.cdx.json", r.version, target))
	}
	for _, name := range want {
		content, err := os.ReadFile(filepath.Join(r.dir, name))
		if err != nil {
			t.Error(err)
			continue
		}
		sum := sha256.Sum256(content)
		if listed[name] != hex.EncodeToString(sum[:]) {
			t.Errorf("checksums.txt has %q for %s, which is %x", listed[name], name, sum)
		}
		delete(listed, name)
	}
	if len(listed) > 0 {
		t.Errorf("checksums.txt lists %v besides", listed)
	}
}

// TestReleaseContentsLists holds the CycloneDX file of each program to the
// modules that the program itself names.
func TestReleaseContentsLists(t *testing.T) {
	r := releaseOf(t)
	for _, target := range r.targets {
		text, err := os.ReadFile(filepath.Join(r.dir, fmt.Sprintf("skillpack_%s_%s.cdx.json", r.version, target)))
		if err != nil {
			t.Fatal(err)
		}
		var list struct {
			BOMFormat string `json:"bomFormat"`
			Metadata  struct {
				Component struct{ Name, Version string }
			}
			Components []struct{ Name, Version string }
		}
		if err := json.Unmarshal(text, &list); err != nil {
			t.Fatal(err)
		}
		if c := list.Metadata.Component; list.BOMFormat != "CycloneDX" || c.Name != "github.com/skillpack/skillpack" || c.Version != "v"+r.version {
			t.Errorf("%s: the list is a %s of %+v", target, list.BOMFormat, c)
		}
		listed := map[string]string{}
		for _, c := range list.Components {
			listed[c.Name] = c.Version
		}
		files := unpack(t, filepath.Join(r.dir, r.archive(target)))
		program := files["skillpack"].content
		if program == nil {
			program = files["skillpack.exe"].content
		}
		info, err := buildinfo.Read(bytes.NewReader(program))
		if err != nil {
			t.Fatal(err)
		}
		for _, dep := range info.Deps {
			if listed[dep.Path] != dep.Version {
				t.Errorf("%s: the list has %q for %s %s", target, listed[dep.Path], dep.Path, dep.Version)
			}
		}
		if len(info.Deps) < 10 {
			t.Errorf("%s: the program names %d modules", target, len(info.Deps))
		}
	}
}

// TestReleaseCask holds the cask to the archives that it unpacks.
func TestReleaseCask(t *testing.T) {
	r := releaseOf(t)
	if !slices.Contains(r.targets, "darwin_arm64") {
		t.Skip("a cask needs the archives of macOS: RELEASE_TARGETS=all")
	}
	text, err := os.ReadFile(filepath.Join(r.dir, "homebrew/Casks/skillpack.rb"))
	if err != nil {
		t.Fatal(err)
	}
	files := unpack(t, filepath.Join(r.dir, r.archive("darwin_arm64")))
	used := map[string]bool{"LICENSE": true, "README.md": true, "completions/skillpack.ps1": true}
	for _, m := range regexp.MustCompile(`(?m)^  (binary|manpage|\w+_completion) "(.+)"$`).FindAllStringSubmatch(string(text), -1) {
		used[m[2]] = true
		if _, ok := files[m[2]]; !ok {
			t.Errorf("the cask installs %s, which is not in the archive", m[2])
		}
	}
	for name := range files {
		if !used[name] {
			t.Errorf("the cask does not install %s", name)
		}
	}
	for _, want := range []string{
		"postflight_steps do", `"{{staged_path}}/skillpack"`, `version "` + r.version + `"`, "on_linux do",
	} {
		if !strings.Contains(string(text), want) {
			t.Errorf("the cask lacks %s:\n%s", want, text)
		}
	}
	if strings.Contains(string(text), "postflight do") {
		t.Errorf("the cask has the block that Homebrew deprecates:\n%s", text)
	}
}
