// Writes the descriptors of Envoy's messages as one file: see ../README.md.
package main

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"runtime/debug"
	"sort"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/descriptorpb"
)

const module = "github.com/envoyproxy/go-control-plane/envoy"

type output struct {
	Source  string `json:"source"`
	Version string `json:"version"`
	Licence string `json:"licence"`
	Sha256  string `json:"sha256"`
	Length  int    `json:"length"`
	Gzip    string `json:"gzip"`
}

// Every file that was linked in, each after those that it imports, in an order that does not depend
// on the linker.
func collect() *descriptorpb.FileDescriptorSet {
	files := map[string]protoreflect.FileDescriptor{}
	protoregistry.GlobalFiles.RangeFiles(func(file protoreflect.FileDescriptor) bool {
		files[file.Path()] = file
		return true
	})
	paths := make([]string, 0, len(files))
	for path := range files {
		paths = append(paths, path)
	}
	sort.Strings(paths)
	set := &descriptorpb.FileDescriptorSet{}
	done := map[string]bool{}
	var add func(file protoreflect.FileDescriptor)
	add = func(file protoreflect.FileDescriptor) {
		if done[file.Path()] {
			return
		}
		done[file.Path()] = true
		imports := file.Imports()
		for index := 0; index < imports.Len(); index++ {
			add(imports.Get(index).FileDescriptor)
		}
		set.File = append(set.File, protodesc.ToFileDescriptorProto(file))
	}
	for _, path := range paths {
		add(files[path])
	}
	return set
}

func moduleVersion() string {
	info, _ := debug.ReadBuildInfo()
	for _, dependency := range info.Deps {
		if dependency.Path == module {
			return dependency.Version
		}
	}
	panic("not built with " + module)
}

func main() {
	data, err := proto.MarshalOptions{Deterministic: true}.Marshal(collect())
	if err != nil {
		panic(err)
	}
	var packed bytes.Buffer
	writer, _ := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	writer.Write(data)
	writer.Close()
	sum := sha256.Sum256(data)
	text, err := json.MarshalIndent(output{
		Source:  module,
		Version: moduleVersion(),
		Licence: "Apache-2.0",
		Sha256:  hex.EncodeToString(sum[:]),
		Length:  len(data),
		Gzip:    base64.StdEncoding.EncodeToString(packed.Bytes()),
	}, "", "  ")
	if err != nil {
		panic(err)
	}
	if err := os.WriteFile(os.Args[1], append(text, '\n'), 0o644); err != nil {
		panic(err)
	}
	fmt.Printf("%d bytes, %d packed\n", len(data), packed.Len())
}
