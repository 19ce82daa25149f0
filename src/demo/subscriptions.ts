/** Open `subscriptions/listen` streams: acknowledged first, tagged, open until the client leaves or the server closes. */
import type { ServerResponse } from 'node:http';
import {
  META_SUBSCRIPTION_ID,
  NOTIFICATION_ACKNOWLEDGED,
  NOTIFICATION_TOOLS_CHANGED,
} from '../protocol/constants.js';
import { type ClientMessage, member, objectMember } from '../protocol/messages.js';
import { complete, eventText, notification, replyText } from './reply.js';

interface Subscription {
  readonly message: ClientMessage;
  readonly response: ServerResponse;
  readonly toolsListChanged: boolean;
  readonly keepAlive: NodeJS.Timeout;
}

export class DemoSubscriptions {
  readonly #open = new Set<Subscription>();
  readonly #keepAliveMs: number;

  constructor(keepAliveMs: number) {
    this.#keepAliveMs = keepAliveMs;
  }

  /** Takes over a response whose stream headers are written. */
  open(message: ClientMessage, response: ServerResponse): void {
    const filter = objectMember(message.params, 'notifications') ?? {};
    const toolsListChanged = member(filter, 'toolsListChanged') === true;
    const keepAlive = setInterval(() => response.write(':\n\n'), this.#keepAliveMs).unref();
    const subscription: Subscription = { message, response, toolsListChanged, keepAlive };
    this.#open.add(subscription);
    response.on('close', () => {
      clearInterval(keepAlive);
      this.#open.delete(subscription);
    });
    const notifications = toolsListChanged ? { toolsListChanged } : {};
    response.write(
      eventText(notification(NOTIFICATION_ACKNOWLEDGED, { _meta: tag(message), notifications })),
    );
  }

  announceToolsChanged(): void {
    for (const { message, response, toolsListChanged } of this.#open) {
      if (toolsListChanged)
        response.write(eventText(notification(NOTIFICATION_TOOLS_CHANGED, { _meta: tag(message) })));
    }
  }

  /** Ends every stream with its closing result; resolves when each was written or its client has gone. */
  async close(): Promise<void> {
    const written = [...this.#open].map(({ message, response }) => {
      const done = new Promise<void>((resolve) => response.on('finish', resolve).on('close', resolve));
      response.end(eventText(replyText(complete({ _meta: tag(message) }), message.id)));
      return done;
    });
    await Promise.all(written);
  }
}

function tag(message: ClientMessage): { readonly [META_SUBSCRIPTION_ID]: string | number } {
  return { [META_SUBSCRIPTION_ID]: message.id?.value ?? '' };
}
