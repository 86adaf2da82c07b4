// The life of files being sent: queued, progressing, done or failed. How bytes travel is the transport's business.

import { useEffect, useRef, useState } from "react";
import { findUploadFault, type UploadFault, type UploadRule } from "../logic/upload-rule.ts";

export interface TransportRun {
  readonly signal: AbortSignal;
  /** 0 to 1. */
  readonly onProgress: (share: number) => void;
}

/** Sends one file and resolves with the server's name for it. */
export type UploadTransport = (file: File, run: TransportRun) => Promise<string>;

export interface UploadItem {
  readonly id: number;
  readonly name: string;
  readonly bytes: number;
  readonly state: "sending" | "done" | "failed";
  readonly share: number;
  readonly fault?: UploadFault | undefined;
  readonly result?: string | undefined;
}

interface Entry {
  readonly file: File;
  readonly stop: AbortController;
}

export function useUpload(transport: UploadTransport, rule: UploadRule, onDone?: (results: readonly string[]) => void) {
  const [items, setItems] = useState<readonly UploadItem[]>([]);
  const entries = useRef(new Map<number, Entry>());
  const nextId = useRef(0);
  const done = useRef(onDone);
  useEffect(() => {
    done.current = onDone;
  });
  useEffect(() => {
    const sent = entries.current;
    return () => {
      for (const entry of sent.values()) entry.stop.abort();
    };
  }, []);

  const results = items.flatMap((item) => (item.result === undefined ? [] : [item.result])).join("\n");
  useEffect(() => done.current?.(results === "" ? [] : results.split("\n")), [results]);

  const patch = (id: number, change: Partial<UploadItem>) =>
    setItems((now) => now.map((item) => (item.id === id ? { ...item, ...change } : item)));

  const send = async (id: number, file: File) => {
    const stop = new AbortController();
    entries.current.set(id, { file, stop });
    patch(id, { state: "sending", share: 0 });
    try {
      const result = await transport(file, { signal: stop.signal, onProgress: (share) => patch(id, { share }) });
      if (!stop.signal.aborted) patch(id, { state: "done", share: 1, result });
    } catch {
      if (!stop.signal.aborted) patch(id, { state: "failed" });
    }
  };

  return {
    items,
    add: (files: readonly File[]) => {
      let count = items.filter((item) => item.fault === undefined).length;
      for (const file of files) {
        const id = nextId.current++;
        const fault = findUploadFault(file, count, rule);
        if (fault === undefined) count++;
        const state = fault === undefined ? ("sending" as const) : ("failed" as const);
        setItems((now) => [...now, { id, name: file.name, bytes: file.size, state, share: 0, fault }]);
        if (fault === undefined) void send(id, file);
      }
    },
    retry: (id: number) => {
      const entry = entries.current.get(id);
      if (entry) void send(id, entry.file);
    },
    remove: (id: number) => {
      entries.current.get(id)?.stop.abort();
      entries.current.delete(id);
      setItems((now) => now.filter((item) => item.id !== id));
    },
  };
}
