/** Tools of a server, each with two arguments. `command` adds to the schema of the argument of that name. */
export function toolsOf(count: number, command: Readonly<Record<string, unknown>> = {}): readonly object[] {
  return Array.from({ length: count }, (_, index) => ({
    name: `tool_${index}`,
    title: `Tool number ${index}`,
    description: `Does a thing with numbers and "quotes" and returns the result of the operation ${index}`,
    inputSchema: {
      type: 'object',
      properties: {
        command: { type: 'string', description: 'The command to run', ...command },
        limit: { type: 'integer', minimum: 0, maximum: 100 },
      },
      required: ['command', 'limit'],
      additionalProperties: false,
    },
    annotations: { readOnlyHint: true },
  }));
}
