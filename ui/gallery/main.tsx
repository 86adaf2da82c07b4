// Mounts the gallery page asked for: ?page=sheet, ?page=icons or ?page=<example page>, with ?theme=.

import { LocaleProvider } from "@clockwork/ui/locale";
import { Toasts } from "@clockwork/ui/toast";
import { createRoot } from "react-dom/client";
import "./gallery.css";
import { Examples, Icons } from "./rest.tsx";
import { Sheet } from "./sheet.tsx";
import { Terminal } from "./terminal.tsx";

const query = new URLSearchParams(location.search);
document.documentElement.dataset.theme = query.get("theme") ?? "light";
const page = query.get("page") ?? "sheet";
const root = document.getElementById("root");
if (root) {
  createRoot(root).render(
    <LocaleProvider locale="en-US">
      {page === "sheet" ? (
        <Sheet />
      ) : page === "icons" ? (
        <Icons />
      ) : page === "terminal" ? (
        <Terminal />
      ) : (
        <Examples page={page} />
      )}
      <Toasts />
    </LocaleProvider>,
  );
}
