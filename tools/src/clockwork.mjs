#!/usr/bin/env node
// The `clockwork` command as npx finds it: the same as `npm run clockwork --`.
process.argv.splice(2, 0, "clockwork");
await import("./launch.mjs");
