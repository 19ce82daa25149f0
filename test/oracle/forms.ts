/** Forms by ajv and the revision's schema, with what the documents refuse beyond it. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import { nameAsks, textAsks } from './credentials.js';
import { type Answer, isMap, isText, type Json, type JsonMap, own, SCHEMA } from './values.js';

/** What Ze's own validator knows. */
const PLAIN = ['StringSchema', 'NumberSchema', 'BooleanSchema', 'UntitledSingleSelectEnumSchema'];
const COMPOSING = ['$ref', 'allOf', 'anyOf', 'oneOf', 'not', 'if'];
const NESTING = [
  ...['then', 'else', 'patternProperties', 'dependentSchemas', 'dependencies', 'prefixItems', 'contains'],
  ...['additionalItems', 'items', '$dynamicRef', '$recursiveRef', 'properties'],
];
const LENGTHS = ['minLength', 'maxLength', 'minItems', 'maxItems'];
const LISTS = ['enum', 'enumNames'];
const FURTHER = ['additionalProperties', 'unevaluatedProperties'];

type Judge = (requestedSchema: Json) => boolean;

/** schema.ts calls the bounds on lengths numbers, schema.json integers. */
function judgeBy(plain: boolean, lengths: 'integer' | 'number'): Judge {
  const schema = structuredClone(SCHEMA) as { $defs: Record<string, Record<string, unknown>> };
  for (const definition of Object.values(schema.$defs)) {
    const properties = (definition.properties ?? {}) as Record<string, { type?: unknown }>;
    for (const name of LENGTHS) if (properties[name]?.type === 'integer') properties[name].type = lengths;
  }
  if (plain)
    schema.$defs.PrimitiveSchemaDefinition = { anyOf: PLAIN.map((name) => ({ $ref: `#/$defs/${name}` })) };
  const ajv = new Ajv2020({ strict: false, validateFormats: false, ownProperties: true });
  ajv.addSchema(schema, 'mcp');
  const validate = ajv.compile({ $ref: 'mcp#/$defs/ElicitRequestFormParams' });
  return (requestedSchema) => validate({ message: '', requestedSchema }) === true;
}

const JUDGES = new Map(
  [false, true].map((plain) => [
    plain,
    { strict: judgeBy(plain, 'integer'), wide: judgeBy(plain, 'number') },
  ]),
);

export function formFaulty(form: JsonMap, ze: boolean): Answer {
  const judges = JUDGES.get(ze);
  if (judges?.wide(form) !== true) return 'yes';
  const fields = Object.values(own(form, 'properties') as JsonMap).filter(isMap);
  const answers = [nests(form, ['properties']), ...fields.map((field) => fieldFaulty(field, ze))];
  if (answers.includes('yes')) return 'yes';
  if (answers.includes('maybe') || !judges.strict(form)) return 'maybe';
  return FURTHER.some((name) => isMap(own(form, name))) ? 'maybe' : 'no';
}

function fieldFaulty(field: JsonMap, ze: boolean): Answer {
  const lists = LISTS.some((name) => Object.hasOwn(field, name) && !isListOfTexts(own(field, name)));
  if (lists || (ze && Object.hasOwn(field, 'enumNames'))) return 'maybe';
  const { type, items, oneOf } = field;
  if (type === 'string' && oneOf !== undefined && !isOptions(oneOf)) return 'yes';
  if (type === 'string' && !ze) return nests(field, ['oneOf']);
  if (type === 'array') return isMap(items) ? worst(nests(field, ['items']), nests(items, ['anyOf'])) : 'yes';
  return nests(field, []);
}

function worst(one: Answer, other: Answer): Answer {
  if (one === 'yes' || other === 'yes') return 'yes';
  return one === 'maybe' || other === 'maybe' ? 'maybe' : 'no';
}

/** `own` are the form's own keywords. What stands in options is left open when it nests. */
function nests(object: JsonMap, ownWords: readonly string[]): Answer {
  const names = Object.keys(object).filter((name) => !ownWords.includes(name));
  if (names.some((name) => COMPOSING.includes(name) || name === 'properties')) return 'yes';
  if (names.some((name) => NESTING.includes(name))) return 'maybe';
  const options = ownWords.flatMap((word) => (Array.isArray(object[word]) ? (object[word] as Json[]) : []));
  const inner = options.filter(isMap).flatMap((option) => Object.keys(option));
  return inner.some((name) => COMPOSING.includes(name) || NESTING.includes(name)) ? 'maybe' : 'no';
}

function isOptions(value: Json): boolean {
  return Array.isArray(value) && value.every((one) => isText(own(one, 'const')) && isText(own(one, 'title')));
}

function isListOfTexts(value: Json | undefined): boolean {
  return Array.isArray(value) && value.every(isText);
}

/** Does anything in the form, or in the message that it comes with, ask for a secret? */
export function formAsksSecret(message: Json | undefined, form: Json | undefined, ze: boolean): Answer {
  const asked: Answer[] = isText(message) ? [textAsks(message)] : [];
  collect(form, ze, asked);
  if (asked.includes('yes')) return 'yes';
  return asked.includes('maybe') ? 'maybe' : 'no';
}

function collect(schema: Json | undefined, ze: boolean, into: Answer[]): void {
  if (Array.isArray(schema)) for (const item of schema) collect(item, ze, into);
  if (!isMap(schema)) return;
  const asked: Answer[] = [];
  for (const [name, value] of Object.entries(schema)) {
    if (name === 'properties' && isMap(value)) collectFields(value, ze, asked);
    else if (name === 'required' && Array.isArray(value))
      asked.push(
        ...value.filter(isText).map((one) => {
          const field = own(own(schema, 'properties'), one);
          return isMap(field) && isChoice(field) ? left(nameAsks(one, ze)) : nameAsks(one, ze);
        }),
      );
    else if (name === 'title' && isText(value)) asked.push(titleAsks(value, ze));
    else if (name === 'description' && isText(value)) asked.push(textAsks(value));
    else if (name === 'format' && value === 'password') asked.push(sure(schema));
    else if (name === 'writeOnly' && value === true) asked.push(sure(schema));
    else if (isText(value)) continue;
    else collect(value, ze, asked);
  }
  into.push(...(isChoice(schema) ? asked.map(left) : asked));
}

/** Whether a choice among what the form offers can ask for a secret, the documents leave open. */
function isChoice(field: JsonMap): boolean {
  return (
    field.type === 'boolean' ||
    field.type === 'array' ||
    ['enum', 'oneOf', 'anyOf', 'const'].some((word) => word in field)
  );
}

function left(answer: Answer): Answer {
  return answer === 'yes' ? 'maybe' : answer;
}

function collectFields(properties: JsonMap, ze: boolean, asked: Answer[]): void {
  for (const [name, field] of Object.entries(properties)) {
    const asks = nameAsks(name, ze);
    asked.push(isMap(field) && !isChoice(field) ? asks : left(asks));
    collect(field, ze, asked);
  }
}

function sure(field: JsonMap): Answer {
  return field.type === 'string' ? 'yes' : 'maybe';
}

/** A title is a name or a text. */
function titleAsks(title: string, ze: boolean): Answer {
  const asks = [nameAsks(title, ze), textAsks(title)];
  if (asks.includes('no')) return 'no';
  return 'maybe';
}
