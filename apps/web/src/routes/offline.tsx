// Answered by the service worker where the site cannot be reached.
import { PageHead } from "#shell/page-head.tsx";
import { usePublicText } from "#words/public-text.ts";
import { OfflinePage } from "../features/system/offline-page.tsx";

export default function Offline() {
  const text = usePublicText();
  return (
    <>
      <PageHead title={text("offline.title")} noIndex />
      <OfflinePage />
    </>
  );
}
