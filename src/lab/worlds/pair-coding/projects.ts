/** Repositories as two people may find themselves in: regions are functions, features are what is to be built. */
export interface Project {
  readonly name: string;
  /** [symbol, file] */
  readonly regions: readonly (readonly [string, string])[];
  readonly features: readonly string[];
}

export const PROJECTS: readonly Project[] = [
  {
    name: 'invoice-desk',
    regions: [
      ['parse_line', 'importer.py'],
      ['total_of', 'totals.py'],
      ['render_pdf', 'print.py'],
      ['tax_rate', 'tax.py'],
      ['load_settings', 'settings.py'],
      ['send_mail', 'mail.py'],
    ],
    features: ['discount codes', 'reverse-charge tax', 'a currency column', 'draft invoices', 'late fees'],
  },
  {
    name: 'route-planner',
    regions: [
      ['shortest_path', 'search.py'],
      ['edge_cost', 'cost.py'],
      ['load_graph', 'graph.py'],
      ['snap_to_road', 'snap.py'],
      ['format_steps', 'steps.py'],
      ['cache_key', 'cache.py'],
    ],
    features: ['toll avoidance', 'bike lanes', 'stops on the way', 'live closures', 'a walking mode'],
  },
  {
    name: 'tiny-queue',
    regions: [
      ['enqueue', 'queue.ts'],
      ['claimJob', 'worker.ts'],
      ['retryDelay', 'retry.ts'],
      ['openStore', 'store.ts'],
      ['serialise', 'codec.ts'],
      ['countJobs', 'stats.ts'],
    ],
    features: ['job priorities', 'a dead-letter list', 'delayed jobs', 'unique jobs', 'batched claims'],
  },
  {
    name: 'recipe-box',
    regions: [
      ['scaleAmounts', 'amounts.ts'],
      ['parseRecipe', 'parse.ts'],
      ['searchIndex', 'search.ts'],
      ['toMarkdown', 'export.ts'],
      ['unitTable', 'units.ts'],
      ['saveRecipe', 'store.ts'],
    ],
    features: ['metric units', 'nested ingredients', 'tags', 'a shopping list', 'import of links'],
  },
  {
    name: 'log-lens',
    regions: [
      ['split_fields', 'fields.rs'],
      ['compile_query', 'query.rs'],
      ['open_source', 'source.rs'],
      ['print_row', 'output.rs'],
      ['parse_time', 'time.rs'],
      ['merge_streams', 'merge.rs'],
    ],
    features: ['gzip input', 'a follow mode', 'JSON output', 'time windows', 'field aliases'],
  },
  {
    name: 'form-kit',
    regions: [
      ['validate', 'validate.js'],
      ['bindField', 'bind.js'],
      ['renderError', 'errors.js'],
      ['submitForm', 'submit.js'],
      ['readSchema', 'schema.js'],
      ['focusNext', 'focus.js'],
    ],
    features: ['async checks', 'repeated groups', 'translations', 'autosave', 'file fields'],
  },
  {
    name: 'sensor-hub',
    regions: [
      ['ReadFrame', 'frame.go'],
      ['Calibrate', 'calibrate.go'],
      ['StoreSample', 'store.go'],
      ['RaiseAlarm', 'alarm.go'],
      ['DecodeUnit', 'units.go'],
      ['ServeStatus', 'status.go'],
    ],
    features: ['humidity probes', 'quiet hours', 'a retention limit', 'checksums', 'a second gateway'],
  },
  {
    name: 'chess-clock',
    regions: [
      ['tick', 'clock.kt'],
      ['startTurn', 'turn.kt'],
      ['formatTime', 'display.kt'],
      ['savePreset', 'presets.kt'],
      ['playSound', 'sound.kt'],
      ['onPause', 'pause.kt'],
    ],
    features: ['increments per move', 'delay mode', 'undo of a press', 'team clocks', 'a handicap'],
  },
];
