import { describe, expect, test } from "vitest";
import { listContents, parseMarkdown, readTarget } from "./markdown-rules.ts";

describe("Markdown as plain nodes", () => {
  test("[PAGE-1] headings, lists, tables and links become nodes of the closed list", () => {
    const nodes = parseMarkdown(
      "## One *two*\n\nText with **weight** and a [link](/help).\n\n1. a\n2. b\n\n| k | v |\n|---|--:|\n| x | 1 |",
    );
    expect(nodes).toEqual([
      { tag: "h2", id: "one-two", children: ["One ", { tag: "em", children: ["two"] }] },
      {
        tag: "p",
        children: [
          "Text with ",
          { tag: "strong", children: ["weight"] },
          " and a ",
          { tag: "a", href: "/help", children: ["link"] },
          ".",
        ],
      },
      {
        tag: "ol",
        children: [
          { tag: "li", children: ["a"] },
          { tag: "li", children: ["b"] },
        ],
      },
      {
        tag: "table",
        children: [
          {
            tag: "thead",
            children: [
              {
                tag: "tr",
                children: [
                  { tag: "th", children: ["k"] },
                  { tag: "th", align: "right", children: ["v"] },
                ],
              },
            ],
          },
          {
            tag: "tbody",
            children: [
              {
                tag: "tr",
                children: [
                  { tag: "td", children: ["x"] },
                  { tag: "td", align: "right", children: ["1"] },
                ],
              },
            ],
          },
        ],
      },
    ]);
  });

  test("[PAGE-1] raw HTML and scripts remain text", () => {
    const text = JSON.stringify(parseMarkdown("<script>alert(1)</script>\n\nand <b onclick=x>this</b>"));
    expect(text).toContain("<script>alert(1)</script>");
    expect(text).not.toContain('"tag":"script"');
    expect(text).not.toContain('"tag":"b"');
  });

  test.each([
    ["/help", "/help"],
    ["#part", "#part"],
    ["https://example.com/a?b=c", "https://example.com/a?b=c"],
    ["mailto:a@example.com", "mailto:a@example.com"],
    ["//example.com", undefined],
    ["/\\example.com", undefined],
    ["javascript:alert(1)", undefined],
    ["http://example.com", undefined],
    ["data:text/html,x", undefined],
  ])("[PAGE-1] a link to %s leads to %s", (href, target) => {
    expect(readTarget(href)).toBe(target);
  });

  test("[PAGE-1] the table of contents names each heading once", () => {
    expect(listContents(parseMarkdown("## A b\n\n## A b\n\n### c"))).toEqual([
      { id: "a-b", title: "A b" },
      { id: "a-b-2", title: "A b" },
    ]);
  });
});
