// How the framework builds the pages: sources in src, streaming server rendering, one chunk per route.
import type { Config } from "@react-router/dev/config";

export default {
  appDirectory: "src",
  ssr: true,
  // A page is one chunk: apart, its loader would be one more request for a hundred bytes.
  splitRouteModules: false,
  routeDiscovery: { mode: "lazy", manifestPath: "/_manifest.json" },
} satisfies Config;
