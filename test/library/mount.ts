/** An app on a free port, and the scripted server that its gateway stands in front of. */
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { resultReply, startUpstream, type Upstream } from '../support/upstream.js';

export const DONE = { resultType: 'complete', content: [{ type: 'text', text: 'done' }] };

/** An upstream that answers every request with the same complete result. */
export async function startServer(result: unknown = DONE): Promise<Upstream> {
  const upstream = await startUpstream((request) => resultReply(request, result));
  onTestFinished(() => upstream.close());
  return upstream;
}

/** `http://127.0.0.1:<port>` of this app. */
export async function serve(app: RequestListener): Promise<string> {
  const server = createServer(app);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(
    () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  );
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
