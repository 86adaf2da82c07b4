import { expect, test } from "vitest";
import { readFooter, readSocial, writeFooter, writeSocial } from "./link-text.ts";

const COLUMNS = [
  {
    title: "Trade",
    links: [
      { title: "Spot", to: "/spot" },
      { title: "Elsewhere", to: "https://a.example/?x=1" },
    ],
  },
  { title: "More", links: [{ title: "Help", to: "/help" }] },
];

test("[USR-8] the footer is written as text and read back", () => {
  expect(readFooter(writeFooter(COLUMNS))).toEqual(COLUMNS);
});

test.each(["Spot | /spot", "Trade\n  Spot |", "Trade\n | /spot", "Trade\n a | b | c"])(
  "[USR-8] %j is no footer",
  (text) => {
    expect(readFooter(text)).toBeUndefined();
  },
);

test("[USR-7] links elsewhere are written as text and read back", () => {
  const links = [{ kind: "forum", title: "Forum", url: "https://forum.example" }];
  expect(readSocial(writeSocial(links))).toEqual(links);
  expect(readSocial("forum | https://forum.example")).toBeUndefined();
});
