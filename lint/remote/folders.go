package remote

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/skillpack/skillpack/lint"
	"github.com/skillpack/skillpack/manifest"
)

// directories reads every folder of every skill, and those above them.
func (c *check) directories(ctx context.Context) {
	if c.over() {
		return
	}
	if !c.caps.DirectoryRead {
		c.undeclaredDirectories(ctx)
		return
	}
	c.each(ctx, len(c.entries), func(i int) {
		e := c.entries[i]
		if root, ok := e.URI.Root(); ok {
			c.skillFolders(ctx, e, root)
		}
	})
	c.foldersAbove(ctx)
}

// undeclaredDirectories tries the method on one folder of a server that does not
// declare it.
func (c *check) undeclaredDirectories(ctx context.Context) {
	if !c.declaredWell {
		return // the fault of the declaration is reported
	}
	for _, e := range c.entries {
		root, ok := e.URI.Root()
		if !ok {
			continue
		}
		raw, err := c.session.call(ctx, methodDirectory, &params{URI: root.String()})
		if c.lost(methodDirectory, err) {
			return
		}
		var result struct {
			Resources []json.RawMessage `json:"resources"`
		}
		if err == nil && json.Unmarshal(raw, &result) == nil && len(result.Resources) > 0 {
			c.report(lint.New("directory-undeclared", "resources/directory/read works but directoryRead is not declared: no host calls it; declare \"directoryRead\": true"))
		}
		return
	}
}

// skillFolders compares each folder of a skill with the files its entry lists.
func (c *check) skillFolders(ctx context.Context, e Entry, root manifest.URI) {
	report := func(uri, format string, args ...any) {
		c.report(lint.New("directory-failed", format, args...).Served(uri).Of(e.Path()))
	}
	all, deep := folders(e, root)
	if deep > 0 {
		report(root.String(), "%d files lie over %d folders deep: their folders are not read", deep, maxFolders)
	}
	for folder, want := range all {
		if c.over() {
			return
		}
		listing := c.session.walk(ctx, methodDirectory, "resources", params{URI: want.spelled})
		c.judgePages(methodDirectory, listing.Pages)
		if c.lost(methodDirectory, listing.Err) {
			return
		}
		if listing.Problem != nil {
			report(folder.String(), "the folder cannot be read: %s", listing.Problem.Message)
			continue
		}
		have := c.folderChildren(e, folder, want, listing.Entries)
		for child, isFolder := range want.children {
			kind, ok := have[child]
			uri := child.String()
			if !isFolder {
				uri = e.spelling(child)
			}
			switch {
			case !ok:
				report(uri, "the listing of its folder %s lacks %q: every direct child belongs in it", shorten(folder.String()), shorten(child.Name()))
			case isFolder && kind != Directory:
				report(uri, "the folder %q has the MIME type %q: %s tells clients to descend", shorten(child.Name()), shorten(kind), Directory)
			case !isFolder && kind == Directory:
				report(uri, "the file %q has the MIME type of a folder, %s: clients list it instead of reading it", shorten(child.Name()), Directory)
			}
		}
	}
	raw, err := c.session.call(ctx, methodDirectory, &params{URI: e.Served})
	if c.lost(methodDirectory, err) {
		return
	}
	if problem := notInvalidParams(raw, err); problem != "" {
		report(e.Served, "resources/directory/read of a file %s: answer with error %d", problem, InvalidParams)
	}
}

// folderChildren returns the MIME types of the children that a folder's listing
// has, and reports those that do not belong in it.
func (c *check) folderChildren(e Entry, folder manifest.URI, want folder, raw []json.RawMessage) map[manifest.URI]string {
	have := make(map[manifest.URI]string, len(raw))
	place := "the listing of " + shorten(folder.String())
	report := func(uri, format string, args ...any) {
		c.reportSome(place, lint.New("directory-extra", format, args...).Served(uri).Of(e.Path()))
	}
	for i, item := range raw {
		child := childOf(item)
		u, ok := c.judgeChild(place, i, child)
		if !ok {
			if child.URI != "" { // without one it is reported already
				report(child.URI, "%s has it, and its URI is not valid: list direct children only", place)
			}
			continue
		}
		_, twice := have[u]
		have[u] = child.MIMEType
		_, wanted := want.children[u]
		_, below := u.Below(folder)
		switch {
		case twice:
			report(child.URI, "%s has it twice: list each child once", place)
		case u.Parent() != folder && below:
			report(child.URI, "%s has it, which lies deeper: list direct children only", place)
		case u.Parent() != folder:
			report(child.URI, "%s has it, which lies elsewhere: list direct children only", place)
		case wanted || !e.complete() || c.known.has(u):
		default:
			report(child.URI, "%s has it, and the skill's resources do not: add it to the resources, or stop serving it", place)
		}
	}
	return have
}

// maxFoldersAbove bounds the folders above skills that are read in one check.
const maxFoldersAbove = 100

// foldersAbove looks for skills that show in the folders above the listed ones
// and nowhere else. A server need not answer for these folders.
func (c *check) foldersAbove(ctx context.Context) {
	above := slices.SortedFunc(maps.Keys(c.known.above), func(a, b manifest.URI) int { return strings.Compare(a.String(), b.String()) })
	above = above[:min(len(above), maxFoldersAbove)]
	c.each(ctx, len(above), func(i int) {
		children, err := c.session.children(ctx, methodDirectory, params{URI: above[i].String()})
		if err != nil {
			return
		}
		for _, child := range children[:min(len(children), maxAlike)] {
			u, err := manifest.ParseURI(child.URI)
			if err != nil || child.MIMEType != Directory || u.Parent() != above[i] || c.known.has(u) {
				continue
			}
			below, err := c.session.children(ctx, methodDirectory, params{URI: child.URI})
			if err != nil {
				continue
			}
			for _, file := range below {
				if f, err := manifest.ParseURI(file.URI); err == nil && f.Parent() == u && f.Name() == manifest.SkillFile {
					c.hidden.add(f, "the listing of the folder "+shorten(child.URI))
				}
			}
		}
	})
}

// maxFolders bounds how deep a file may lie for its folders to be read: deeper
// than the longest path that a skill may have can reach, it is made to cost time.
const maxFolders = 512

// folder is one folder of a skill, as the entry's files imply it.
type folder struct {
	spelled  string                // its URI in the server's own spelling
	children map[manifest.URI]bool // true for a folder
}

// folders returns every folder of a skill, and how many files lie too deep.
func folders(e Entry, root manifest.URI) (all map[manifest.URI]folder, deep int) {
	all = map[manifest.URI]folder{root: {spelledParent(e.spelling(e.URI)), map[manifest.URI]bool{}}}
	for file, spelled := range e.spelled {
		path, below := file.Below(root)
		if !below {
			continue
		}
		if strings.Count(path, "/") > maxFolders {
			deep++
			continue
		}
		child, isFolder := file, false
		for child != root {
			parent := child.Parent()
			spelled = spelledParent(spelled)
			f, seen := all[parent]
			if !seen {
				f = folder{spelled, map[manifest.URI]bool{}}
				all[parent] = f
			}
			f.children[child] = isFolder
			if seen {
				break // the folders above are there already
			}
			child, isFolder = parent, true
		}
	}
	return all, deep
}

func spelledParent(uri string) string { return uri[:max(0, strings.LastIndexByte(uri, '/'))] }
