// The ordinary frame: header, page, footer, and what floats above them, each as the route's flags and the shell allow.
import { Outlet } from "react-router";
import { SiteHeader } from "../frame/site-header.tsx";
import { useText } from "../frame/text.ts";

export default function DefaultLayout() {
  const text = useText();
  return (
    <>
      <a
        href="#content"
        className="sr-only focus:not-sr-only focus:absolute focus:top-2 focus:left-2 focus:z-bar focus:rounded-control focus:bg-raised focus:px-4 focus:py-2 focus:shadow-raised"
      >
        {text("site.skip")}
      </a>
      <SiteHeader />
      <Outlet />
    </>
  );
}
