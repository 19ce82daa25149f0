/** Links that a client would make clickable in a text: addresses with a scheme, `www.`, and those of Markdown and HTML. */

const ADDRESS = /([a-z][a-z\d+.-]{0,30}):\/\/[^\s/]/gi;
const OTHER_LINK =
  /(?<![\p{L}\p{N}_])(?:www\.[\p{L}\p{N}]|mailto:\S|(?:tel|sms):[+\d(]|(?:java|vb)script:\S|data:[a-z]+\/)|\]\([^)\s]|<a\s{1,8}[a-z]/iu;

/** Addresses of data rather than of pages: `e.g. postgres://db/orders` is an example to type, nothing to click. */
const DATA_SCHEMES: ReadonlySet<string> = new Set(
  `abfs abfss amqp amqps arn bolt cockroachdb docker file gcs git grpc gs hdfs ipfs jdbc kafka ldap ldaps mongodb mongodb+srv mqtt
   mqtts mysql nats neo4j oci postgres postgresql redis rediss rtmp rtsp s3 s3a sftp smb sqlite ssh tcp udp unix wasb ws
   wss`.split(/\s+/),
);

/** Bare domains do not count: `README.md` is none. */
export function hasLink(text: string): boolean {
  if (OTHER_LINK.test(text)) return true;
  for (const [, scheme = ''] of text.matchAll(ADDRESS)) {
    if (!DATA_SCHEMES.has(scheme.toLowerCase())) return true;
  }
  return false;
}
