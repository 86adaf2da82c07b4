// Builds the gallery page for looking at components. Not part of the product.

import tailwindcss from "@tailwindcss/vite";
import { defineConfig } from "vite";

export default defineConfig({
  root: import.meta.dirname,
  base: "./",
  plugins: [tailwindcss()],
  oxc: { jsx: { runtime: "automatic" } },
  build: { outDir: "../build/gallery", emptyOutDir: true },
});
