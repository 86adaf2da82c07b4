import { createElement } from "react";
import { renderToString } from "react-dom/server";
import { expect, test } from "vitest";
import { collectReady, Handoff, HandoffContext } from "./handoff.tsx";

const bytes = (text: string) => new TextEncoder().encode(text);

test("[SITE-14] data that is there at once is sent in one piece", async () => {
  const stream = new ReadableStream<Uint8Array>({
    start: (controller) => {
      controller.enqueue(bytes("[1,"));
      controller.enqueue(bytes("2]"));
      controller.close();
    },
  });
  expect(await collectReady(stream)).toEqual({ data: "[1,2]", rest: undefined });
});

test("[SITE-14] data that is still on its way keeps its stream, whole and in order", async () => {
  let push: (text: string | undefined) => void = () => undefined;
  const stream = new ReadableStream<Uint8Array>({
    start: (controller) => {
      controller.enqueue(bytes("first"));
      push = (text) => (text === undefined ? controller.close() : controller.enqueue(bytes(text)));
    },
  });
  const { data, rest } = await collectReady(stream);
  expect(data).toBeUndefined();
  setTimeout(() => {
    push(" second");
    push(undefined);
  }, 5);
  expect(await new Response(rest).text()).toBe("first second");
});

test("[SITE-1] handed-over data can never end its script", () => {
  const data = '</script><script>alert("x")</script>\u2028';
  const html = renderToString(createElement(HandoffContext, { value: data }, createElement(Handoff)));
  expect(html.match(/<script/g)).toHaveLength(1);
  expect(html.match(/<\/script>/g)).toHaveLength(1);
  expect(html).not.toContain("\u2028");
});
