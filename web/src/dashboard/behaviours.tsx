import { useMemo, useState } from 'preact/hooks';
import type { AuditPage } from '../../../src/audit/report-data.ts';
import type { MapView, MetricsView } from '../../../src/gateway/api/control.ts';
import { MapSection } from '../sections/map.tsx';
import { ModesSection } from '../sections/modes.tsx';
import { Section } from '../shell.tsx';
import { Waiting } from './verdict.tsx';

/** Where the sessions of the window lie, drawn as in the report of an audit. */
export function BehavioursSection({
  map,
  metrics,
  fault,
}: {
  map: MapView;
  metrics: MetricsView | null;
  fault: string | undefined;
}) {
  const [focus, setFocus] = useState<string | null>(null);
  const report = metrics?.report ?? null;
  const page = useMemo((): AuditPage | null => {
    if (map === null || report === null) return null;
    return { report, ...map, created: '', title: '' };
  }, [map, report]);
  if (page === null)
    return (
      <Section
        id="map"
        title="Map of behaviours"
        lead="One mark will be one session, placed by how its user behaves."
      >
        <Waiting fault={fault ?? metrics?.reason ?? undefined} what="map" />
      </Section>
    );
  return (
    <>
      <MapSection page={page} focus={focus} setFocus={setFocus} />
      <ModesSection page={page} focus={focus} />
    </>
  );
}
