// A bare Fastify that reads the same order by a schema and answers with one: the most a server of this kind can do.
import { fastify } from "fastify";

const text = { type: "string", maxLength: 44 };
const app = fastify({ logger: false });
app.post(
  "/orders",
  {
    schema: {
      body: {
        type: "object",
        required: ["pairCode", "side", "type"],
        properties: { pairCode: text, side: text, type: text, price: text, quantity: text, clientOrderId: text },
      },
      response: {
        200: {
          type: "object",
          properties: {
            code: { type: "integer" },
            message: { type: "string" },
            data: {
              type: "object",
              properties: {
                orderId: text,
                status: text,
                filledQuantity: text,
                filledAmount: text,
                sequence: { type: "integer" },
              },
            },
          },
        },
      },
    },
  },
  async () => ({
    code: 200,
    message: "success",
    data: { orderId: "1", status: "NEW", filledQuantity: "0.00000", filledAmount: "0", sequence: 1 },
  }),
);
await app.listen({ host: "127.0.0.1", port: 0 });
const address = app.server.address();
process.stdout.write(`http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}\n`);
