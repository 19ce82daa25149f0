/** An Express 5 app with the gateway in it, in front of the MCP server at UPSTREAM. */
import express from 'express';
import { createGateway } from 'mrtr-gateway';
import { Registry } from 'prom-client';

const { UPSTREAM = 'http://127.0.0.1:9718/mcp', PORT = '3000' } = process.env;
const registry = new Registry();
const route = { path: '/mcp', upstream: UPSTREAM, requestState: 'relay' };
const gateway = createGateway({ routes: [route] }, { registry });

const app = express();
app.use(gateway); // before any body parser, so that what it judges is what was sent
app.use(express.json());
app.get('/metrics', async (_, res) => {
  res.type(registry.contentType).send(await registry.metrics());
});
app.post('/orders', (req, res) => {
  res.json({ ordered: req.body });
});

const server = app.listen(Number(PORT), '127.0.0.1', () => console.log(JSON.stringify(server.address())));
process.once('SIGTERM', () => {
  server.close();
  void gateway.close();
});
