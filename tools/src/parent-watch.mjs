// Preloaded into the server by the launcher: when the launcher is gone, however it ended, the server stops cleanly. The
// server runs in its own process group, so this is what keeps it from outliving the launcher.
import { isMainThread } from "node:worker_threads";

const WATCH_MS = 500;

if (isMainThread) {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    process.kill(process.pid, "SIGTERM");
  }, WATCH_MS);
  timer.unref();
}
