/** What a subscriptions/listen filter lets through (basic/patterns/subscriptions#notification-filter, SEP-2663). */
import {
  NOTIFICATION_ACKNOWLEDGED,
  NOTIFICATION_CANCELLED,
  NOTIFICATION_MESSAGE,
  NOTIFICATION_PROGRESS,
  NOTIFICATION_PROMPTS_CHANGED,
  NOTIFICATION_RESOURCE_UPDATED,
  NOTIFICATION_RESOURCES_CHANGED,
  NOTIFICATION_TASKS,
  NOTIFICATION_TOOLS_CHANGED,
} from './constants.js';
import { arrayMember, type JsonObject, type MessageId, member, stringMember } from './messages.js';

const SWITCHES: ReadonlyMap<string, string> = new Map([
  [NOTIFICATION_TOOLS_CHANGED, 'toolsListChanged'],
  [NOTIFICATION_PROMPTS_CHANGED, 'promptsListChanged'],
  [NOTIFICATION_RESOURCES_CHANGED, 'resourcesListChanged'],
]);

const OF_SUBSCRIPTIONS: ReadonlySet<string> = new Set([
  ...SWITCHES.keys(),
  NOTIFICATION_RESOURCE_UPDATED,
  NOTIFICATION_ACKNOWLEDGED,
  NOTIFICATION_CANCELLED,
]);

/** Is the notification one of a type that relates to no request but subscriptions/listen? */
export function belongsToSubscription(method: string): boolean {
  return OF_SUBSCRIPTIONS.has(method);
}

/** Does the filter of the request with this id admit the notification? Undefined for a type that only an extension could define. */
export function admitsNotification(
  filter: JsonObject,
  id: MessageId | undefined,
  method: string,
  params: JsonObject,
): boolean | undefined {
  const flag = SWITCHES.get(method);
  if (flag !== undefined) return member(filter, flag) === true;
  switch (method) {
    case NOTIFICATION_ACKNOWLEDGED:
      return true;
    case NOTIFICATION_CANCELLED:
      // A server ends a subscription by cancelling it (basic/patterns/cancellation).
      return id !== undefined && member(params, 'requestId') === id.value;
    case NOTIFICATION_RESOURCE_UPDATED:
      return names(filter, 'resourceSubscriptions', stringMember(params, 'uri'), isSameOrSubResource);
    case NOTIFICATION_TASKS:
      return names(filter, 'taskIds', stringMember(params, 'taskId'), (one, other) => one === other);
    case NOTIFICATION_PROGRESS:
    case NOTIFICATION_MESSAGE:
      return false;
    default:
      return undefined;
  }
}

function names(
  filter: JsonObject,
  list: string,
  value: string | undefined,
  covers: (subscribed: string, value: string) => boolean,
): boolean {
  if (value === undefined) return false;
  return (arrayMember(filter, list) ?? []).some((entry) => typeof entry === 'string' && covers(entry, value));
}

/** An update may be of a sub-resource of the one subscribed to (ResourceUpdatedNotificationParams.uri). */
function isSameOrSubResource(subscribed: string, uri: string): boolean {
  if (!uri.startsWith(subscribed)) return false;
  const next = uri.charAt(subscribed.length);
  return next === '' || subscribed.endsWith('/') || next === '/' || next === '?' || next === '#';
}
