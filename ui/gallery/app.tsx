// The gallery page asked for, the same on server and browser.

import { LocaleProvider } from "@clockwork/ui/locale";
import { Toasts } from "@clockwork/ui/toast";
import { Examples, Icons } from "./rest.tsx";
import { Sheet } from "./sheet.tsx";
import { Terminal } from "./terminal.tsx";

function Page({ page }: { page: string }) {
  if (page === "sheet") return <Sheet />;
  if (page === "icons") return <Icons />;
  if (page === "terminal") return <Terminal />;
  return <Examples page={page} />;
}

export function App({ page }: { page: string }) {
  return (
    <LocaleProvider locale="en-US">
      <Page page={page} />
      <Toasts />
    </LocaleProvider>
  );
}
