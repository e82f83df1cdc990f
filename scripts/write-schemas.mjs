// Writes docs/schema/*.json from the built package; with --check only says whether they are the same (status 1: not).
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { recipeJsonSchema } from '../dist/curation/recipe-schema.js';
import { mappingSchema } from '../dist/formats/index.js';
import { gatewayJsonSchema } from '../dist/gateway/settings/settings-schema.js';
import { labPanelsJsonSchema } from '../dist/lab/simulators/lab-panels-schema.js';
import { panelsJsonSchema } from '../dist/population/index.js';
import { trajectoryJsonSchema } from '../dist/trajectory/index.js';

// All fields of a mapping take the same kinds of source: one definition instead of nineteen copies.
const fields = mappingSchema.shape.fields.unwrap().shape;
z.globalRegistry.add(fields.id.unwrap(), { id: 'field' });

const folder = resolve(import.meta.dirname, '..', 'docs', 'schema');
const schemas = {
  'trajectory.json': trajectoryJsonSchema(),
  'mapping.json': {
    title: 'collapse-aware mapping',
    $id: 'collapse-aware/mapping@1',
    ...z.toJSONSchema(mappingSchema, { io: 'input' }),
  },
  'recipe.json': recipeJsonSchema(),
  'panels.json': panelsJsonSchema(),
  'lab-panels.json': labPanelsJsonSchema(),
  'gateway.json': gatewayJsonSchema(),
};

const check = process.argv.includes('--check');
mkdirSync(folder, { recursive: true });
for (const [name, schema] of Object.entries(schemas)) {
  const path = join(folder, name);
  if (!check) {
    writeFileSync(path, `${JSON.stringify(schema, null, 2)}\n`);
    console.log(`docs/schema/${name}`);
  } else if (!isDeepStrictEqual(JSON.parse(readFileSync(path, 'utf8')), JSON.parse(JSON.stringify(schema)))) {
    console.error(`docs/schema/${name} is not what the package says: npm run schemas`);
    process.exitCode = 1;
  }
}
// One line a short list, as everything else here is formatted.
if (!check) {
  const biome = fileURLToPath(import.meta.resolve('@biomejs/biome/bin/biome'));
  execFileSync(process.execPath, [biome, 'format', '--write', folder], { stdio: 'ignore' });
}
