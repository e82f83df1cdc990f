import { describe, expect, test } from 'vitest';
import { dashboardDesk, dashboardReady } from './dashboard-desk.ts';
import { KEY } from './fake-control.ts';
import { fakeData } from './fake-data.ts';

describe.skipIf(!dashboardReady())('who uses the dashboard', () => {
  const { open, serve, visit } = dashboardDesk();

  describe('the key', () => {
    test('leaves the address at once, and lasts for the tab', async () => {
      const { page, fake } = await open({ sessions: 3 });
      expect(page.url()).toBe(fake.url);
      await page.reload();
      await page.waitForSelector('.sessions');
      expect(fake.asked.every((path) => !path.includes(KEY))).toBe(true);
      expect(await page.content()).not.toContain(KEY);
    });

    test('is asked for where there is none; a wrong one is refused in words', async () => {
      const fake = await serve({ sessions: 3 });
      const { page } = await visit(fake, '');
      expect(fake.asked).toEqual([]);
      await page.getByLabel('Key').fill('a client key');
      await page.keyboard.press('Enter');
      expect(await page.getByRole('alert').textContent()).toBe(
        "This gateway refuses the key: this is not the admin key. Give the admin key, not a client's.",
      );
      await page.getByLabel('Key').fill(KEY);
      await page.getByRole('button', { name: 'Open the dashboard' }).click();
      await page.waitForSelector('.sessions');
      await page.getByRole('button', { name: 'Forget the key' }).click();
      await page.waitForSelector('.sign-in');
      expect(await page.evaluate("sessionStorage.getItem('collapse-aware-admin-key')")).toBeNull();
    });
  });

  describe('the operator', () => {
    test('sets a level with name, reason and time only after confirming, and releases it', async () => {
      const { page, fake } = await open({ sessions: 30 });
      expect(await page.getByRole('button', { name: 'Release …' }).isDisabled()).toBe(true);
      await page.getByRole('button', { name: 'green …' }).click();
      await page.getByRole('button', { name: 'Set green' }).click();
      expect(await page.getByRole('alert').textContent()).toBe('Say who you are, and why.');
      await page.getByLabel('Who you are').fill('Ada');
      await page.getByLabel('Reason').fill('a <b>known</b> fault of the probe set');
      await page.getByLabel('For how long').selectOption('15 minutes');
      await page.keyboard.press('Escape');
      expect(fake.posted).toEqual([]);

      await page.getByRole('button', { name: 'green …' }).click();
      await page.getByLabel('Who you are').fill('Ada');
      await page.getByLabel('Reason').fill('a <b>known</b> fault of the probe set');
      await page.getByLabel('For how long').selectOption('15 minutes');
      await page.keyboard.press('Enter');
      await page.getByText('An operator lets training go on').waitFor();
      expect(fake.posted).toEqual([
        { level: 'green', by: 'Ada', reason: 'a <b>known</b> fault of the probe set', seconds: 900 },
      ]);
      expect(await page.locator('.standing-facts').textContent()).toContain('a <b>known</b> fault');

      await page.getByRole('button', { name: 'Release …' }).click();
      await page.getByRole('button', { name: 'Release', exact: true }).click();
      await page.getByText('Stop: the simulated users').waitFor();
      expect(fake.posted[1]).toEqual({ release: true, by: 'Ada' });
    });
  });

  describe('the connection', () => {
    test('waits at the gate, and shows a change as soon as the gate tells it', async () => {
      const { page, fake } = await open({ sessions: 30, level: 'yellow' });
      await page.waitForTimeout(300);
      expect(fake.asked).toContain('GET /api/gate?after=1&wait=20');
      expect(fake.asked.filter((path) => path.startsWith('GET /api/gate'))).toHaveLength(2);
      fake.change(fakeData({ sessions: 30, level: 'red' }));
      await page.getByText('Stop: the simulated users').waitFor();
    });

    test('says that it is lost and for how long, keeps what it knows, and comes back', async () => {
      const { page, fake } = await open({ sessions: 30 });
      fake.lose();
      await page.getByText('connection lost').waitFor();
      expect(await page.locator('.connection').textContent()).toMatch(/for \d+ s, trying again/);
      expect(await page.locator('.live-tiles li').count()).toBe(5);
      fake.mend();
      await page.locator('.connection-live').waitFor();
    });

    test('a hidden tab asks for nothing', async () => {
      const { page, fake } = await open({ sessions: 30 });
      const hide = (hidden: boolean) =>
        page.evaluate(`(() => {
          Object.defineProperty(document, 'hidden', { configurable: true, get: () => ${hidden} });
          document.dispatchEvent(new Event('visibilitychange'));
        })()`);
      await hide(true);
      await page.waitForTimeout(100);
      const before = fake.asked.length;
      fake.change(fakeData({ sessions: 30, level: 'green' }));
      await page.waitForTimeout(5500);
      expect(fake.asked.length).toBe(before);
      await hide(false);
      await page.locator('.standing.at-green').waitFor();
    });
  });
});
