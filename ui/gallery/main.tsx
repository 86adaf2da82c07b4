// Shows the gallery page asked for: ?page=sheet, ?page=icons or ?page=<example page>, with ?theme=.
// Where the server has already drawn it, takes that over instead.

import { createRoot, hydrateRoot } from "react-dom/client";
import { App } from "./app.tsx";
import "./gallery.css";

const query = new URLSearchParams(location.search);
document.documentElement.dataset.theme = query.get("theme") ?? "light";
const app = <App page={query.get("page") ?? "sheet"} />;
const root = document.getElementById("root");
if (root?.hasChildNodes()) hydrateRoot(root, app);
else if (root) createRoot(root).render(app);
