"""The bytes of artifacts: packed part by part, sealed if there is a key, kept in a directory or an object store."""
