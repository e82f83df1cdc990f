import { z } from 'zod';
import { VERSION } from '../../version.ts';
import { OPERATIONS, type Operation } from './operations.ts';

/** OpenAPI 3.1 of all paths. */
export function openApiDocument(): Record<string, unknown> {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const operation of OPERATIONS) {
    paths[operation.path] ??= {};
    paths[operation.path]![operation.method] = operationOf(operation);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'collapse-aware gateway',
      version: VERSION,
      description: 'A population of user simulators behind one URL, recorded and measured while it serves.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    paths,
    components: {
      securitySchemes: {
        client: { type: 'http', scheme: 'bearer', description: "clients' key, or a session's" },
        admin: { type: 'http', scheme: 'bearer', description: 'the admin key' },
      },
      schemas: { Error: ERROR },
    },
  };
}

const ERROR = {
  type: 'object',
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      required: ['message', 'type', 'param', 'code'],
      properties: {
        message: { type: 'string' },
        type: { type: 'string' },
        param: { type: ['string', 'null'] },
        code: { type: ['string', 'null'] },
      },
    },
  },
};

function operationOf({ method, path, tag, summary, key, body, query, answers }: Operation): unknown {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
  const parameters = [
    ...names.map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } })),
    ...Object.entries(query ?? {}).map(([name, description]) => ({
      name,
      in: 'query',
      required: false,
      description,
      schema: { type: 'string' },
    })),
  ];
  return {
    operationId: `${method}${path.replace(/[^A-Za-z0-9]+(.)?/g, (_, next: string | undefined) => next?.toUpperCase() ?? '')}`,
    tags: [tag],
    summary,
    security: key === 'none' ? [] : [{ [key]: [] }],
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === undefined
      ? {}
      : { requestBody: { required: true, content: { 'application/json': { schema: jsonSchema(body) } } } }),
    responses: {
      200: {
        description: 'done',
        content: {
          [answers ?? 'application/json']: {
            schema: answers === undefined ? { type: 'object' } : { type: 'string' },
          },
        },
      },
      default: {
        description: 'an error',
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
      },
    },
  };
}

function jsonSchema(schema: z.ZodType): unknown {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  return rest;
}
