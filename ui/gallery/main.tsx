// Mounts the gallery page asked for by the hash: #sheet, #rest.

import { Toasts } from "@clockwork/ui/toast";
import { createRoot } from "react-dom/client";
import "./gallery.css";
import { Sheet } from "./sheet.tsx";

const query = new URLSearchParams(location.search);
document.documentElement.dataset.theme = query.get("theme") ?? "light";
const page = query.get("page") ?? "sheet";
const root = document.getElementById("root");
if (root) {
  createRoot(root).render(
    <>
      {page === "sheet" && <Sheet />}
      <Toasts />
    </>,
  );
}
