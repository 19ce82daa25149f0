import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { linger } from '../../src/adapters/linger.js';

it('leaves a connection that is kept as it was', async () => {
  const requests: IncomingMessage[] = [];
  const server = createServer((req, res) => {
    requests.push(req);
    linger(res);
    res.writeHead(413).end();
  });
  onTestFinished(() => void server.close());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  onTestFinished(() => void client.destroy());
  const [socket] = (await once(server, 'connection')) as [Socket];
  const { destroySoon } = socket;
  for (let count = 1; count <= 3; count += 1) {
    client.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhe');
    await once(client, 'data');
    const request = requests[count - 1] as IncomingMessage;
    const closed = once(request, 'close');
    client.write('llo');
    await closed;
    expect(socket.destroySoon).toBe(destroySoon);
  }
  expect(requests).toHaveLength(3);
});
