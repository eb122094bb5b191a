// Bundles the extension, or with `--tests` each test, into dist/.
import { readdirSync } from "node:fs";
import { build } from "esbuild";

const shared = {
  bundle: true,
  platform: "node",
  target: "node18",
  format: "cjs",
  sourcemap: false,
  logLevel: "warning",
};

if (process.argv.includes("--tests")) {
  const entryPoints = readdirSync("test").map((name) => `test/${name}`);
  await build({ ...shared, entryPoints, outdir: "dist/test", outExtension: { ".js": ".cjs" } });
} else {
  await build({
    ...shared,
    entryPoints: ["src/extension.ts"],
    outfile: "dist/extension.js",
    external: ["vscode"],
    minify: true,
  });
}
