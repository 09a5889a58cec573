package serve

import (
	"strings"

	"github.com/skillpack/skillpack/manifest"
)

// mimeType returns the type of a file by its name's ending. The table is this
// package's own: one of the host differs from machine to machine.
func mimeType(name string, text bool) string {
	if name == manifest.SkillFile {
		return "text/markdown"
	}
	if i := strings.LastIndexByte(name, '.'); i >= 0 {
		if t, ok := mimeTypes[strings.ToLower(name[i+1:])]; ok {
			return t
		}
	}
	if text {
		return "text/plain"
	}
	return "application/octet-stream"
}

// mimeTypes are the types of endings, in lower case.
var mimeTypes = map[string]string{
	// text
	"adoc": "text/asciidoc", "css": "text/css", "csv": "text/csv", "diff": "text/x-diff", "htm": "text/html",
	"html": "text/html", "ics": "text/calendar", "markdown": "text/markdown", "md": "text/markdown",
	"mdx": "text/mdx", "patch": "text/x-diff", "rst": "text/x-rst", "tex": "text/x-tex", "tsv": "text/tab-separated-values",
	"txt": "text/plain", "log": "text/plain", "vcf": "text/vcard", "vtt": "text/vtt",
	// data
	"graphql": "application/graphql", "ipynb": "application/x-ipynb+json", "json": "application/json",
	"json5": "application/json5", "jsonc": "application/json", "jsonl": "application/jsonl", "jsonld": "application/ld+json",
	"geojson": "application/geo+json", "ndjson": "application/x-ndjson", "parquet": "application/vnd.apache.parquet",
	"sqlite": "application/vnd.sqlite3", "toml": "application/toml", "wasm": "application/wasm",
	"xml": "application/xml", "xsd": "application/xml", "xsl": "application/xslt+xml", "yaml": "application/yaml",
	"yml": "application/yaml",
	// programs
	"awk": "text/x-awk", "bash": "application/x-sh", "bat": "text/x-bat", "c": "text/x-c", "cc": "text/x-c++",
	"cjs": "text/javascript", "clj": "text/x-clojure", "cpp": "text/x-c++", "cs": "text/x-csharp", "dart": "text/x-dart",
	"ex": "text/x-elixir", "exs": "text/x-elixir", "go": "text/x-go", "groovy": "text/x-groovy", "h": "text/x-c",
	"hpp": "text/x-c++", "hs": "text/x-haskell", "java": "text/x-java", "js": "text/javascript", "jsx": "text/jsx",
	"kt": "text/x-kotlin", "lua": "text/x-lua", "mjs": "text/javascript", "php": "application/x-php", "pl": "text/x-perl",
	"proto": "text/x-protobuf", "ps1": "text/x-powershell", "py": "text/x-python", "r": "text/x-r", "rb": "text/x-ruby",
	"rs": "text/x-rust", "scala": "text/x-scala", "sh": "application/x-sh", "sql": "application/sql", "swift": "text/x-swift",
	"tf": "text/x-terraform", "ts": "text/x-typescript", "tsx": "text/x-typescript", "zig": "text/x-zig", "zsh": "application/x-sh",
	// pictures, sound, film, fonts
	"avif": "image/avif", "bmp": "image/bmp", "gif": "image/gif", "heic": "image/heic", "ico": "image/vnd.microsoft.icon",
	"jpeg": "image/jpeg", "jpg": "image/jpeg", "png": "image/png", "svg": "image/svg+xml", "tif": "image/tiff",
	"tiff": "image/tiff", "webp": "image/webp",
	"flac": "audio/flac", "m4a": "audio/mp4", "mp3": "audio/mpeg", "oga": "audio/ogg", "ogg": "audio/ogg", "wav": "audio/wav",
	"mov": "video/quicktime", "mp4": "video/mp4", "webm": "video/webm",
	"otf": "font/otf", "ttf": "font/ttf", "woff": "font/woff", "woff2": "font/woff2",
	// documents
	"doc": "application/msword", "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
	"dotx": "application/vnd.openxmlformats-officedocument.wordprocessingml.template", "epub": "application/epub+zip",
	"odp": "application/vnd.oasis.opendocument.presentation", "ods": "application/vnd.oasis.opendocument.spreadsheet",
	"odt": "application/vnd.oasis.opendocument.text", "pdf": "application/pdf", "ppt": "application/vnd.ms-powerpoint",
	"potx": "application/vnd.openxmlformats-officedocument.presentationml.template",
	"pptx": "application/vnd.openxmlformats-officedocument.presentationml.presentation", "rtf": "application/rtf",
	"xls": "application/vnd.ms-excel", "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
	// archives
	"7z": "application/x-7z-compressed", "bz2": "application/x-bzip2", "gz": "application/gzip", "jar": "application/java-archive",
	"rar": "application/vnd.rar", "tar": "application/x-tar", "tgz": "application/gzip", "whl": "application/zip",
	"xz": "application/x-xz", "zip": "application/zip", "zst": "application/zstd",
}
