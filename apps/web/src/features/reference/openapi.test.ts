import { expect, test } from "vitest";
import { describeType, exampleOf, readReference } from "./openapi.ts";

const DOCUMENT = {
  paths: {
    "/api/v1/a": {
      post: {
        tags: ["spot"],
        summary: "Does a",
        security: [{ session: [] }],
        parameters: [{ in: "query", name: "q", required: true, schema: { type: "integer", minimum: 3 } }],
        requestBody: {
          content: {
            "application/json": {
              schema: {
                type: "object",
                required: ["side"],
                properties: { side: { enum: ["buy", "sell"] }, price: { type: "string" } },
              },
            },
          },
        },
      },
    },
  },
};

test("[PAGE-4] a call shows its members, whether it needs a session, and an initial body", () => {
  const [group] = readReference(DOCUMENT);
  expect(group?.tag).toBe("spot");
  expect(group?.operations[0]).toMatchObject({
    method: "POST",
    path: "/api/v1/a",
    isSignedIn: true,
    parameters: [
      { name: "q", place: "query", isRequired: true, type: "integer" },
      { name: "side", place: "body", isRequired: true, type: "buy | sell" },
      { name: "price", place: "body", isRequired: false, type: "string" },
    ],
  });
  expect(JSON.parse(group?.operations[0]?.example ?? "")).toEqual({ side: "buy" });
});

test("[PAGE-4] anything but a document gives an empty reference", () => {
  for (const value of [undefined, null, 5, [], { paths: 3 }]) expect(readReference(value)).toEqual([]);
});

test("[PAGE-4] types and examples follow the schema", () => {
  const schema = { type: "array", items: { anyOf: [{ type: "integer", minimum: 2 }, { type: "null" }] } };
  expect(describeType(schema)).toBe("integer | null[]");
  expect(exampleOf(schema)).toEqual([2]);
});
