import { describe, expect, test } from 'vitest';
import { dashboardDesk, dashboardReady } from './dashboard-desk.ts';

describe.skipIf(!dashboardReady())('sessions on the dashboard', () => {
  const { open } = dashboardDesk();

  test('10,000 are listed by pages of fifty', async () => {
    const { page, fake } = await open({ sessions: 10_000 });
    const rows = page.locator('#sessions tbody tr');
    expect(await rows.count()).toBe(50);
    expect(await page.locator('#sessions caption').textContent()).toContain('1 to 50 of 10,000');
    await page.getByRole('button', { name: 'Older' }).click();
    await page.getByText('Sessions 51 to 100 of 10,000').waitFor();
    expect(await rows.first().textContent()).toContain('session-09949');
    expect(fake.asked).toContain('GET /api/sessions?limit=50&after=session-09950');
    await page.getByRole('button', { name: 'Newer' }).click();
    await page.getByText('Sessions 1 to 50 of 10,000').waitFor();
    expect(await page.getByRole('button', { name: 'Newer' }).isDisabled()).toBe(true);
    expect(await page.evaluate("document.querySelectorAll('*').length")).toBeLessThan(12_000);
  });

  test('are filtered by the gateway: state, member, epoch, part of the id', async () => {
    const { page } = await open({ sessions: 2000 });
    await page.getByLabel('State').selectOption('orphan');
    await page.getByText('of 20, newest first').or(page.getByText('of 21, newest first')).waitFor();
    await page.getByLabel('State').selectOption('');
    await page.getByLabel('Id holds').fill('00017');
    await page.getByText('Sessions 1 to 1 of 1').waitFor();
    await page.getByLabel('Epoch', { exact: true }).fill('999');
    await page.getByText('No session is like that.').waitFor();
  });

  test('open with candidates, the one drawn, replies drawn again, fallbacks and times; Escape gives the focus back', async () => {
    const { page } = await open({ sessions: 60 });
    await page.locator('.session-id').nth(1).focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.locator('.dialogue').waitFor();
    const first = dialog.locator('.said-user').first();
    expect(await first.locator('.candidates tbody tr').count()).toBe(5);
    expect(await first.locator('.drawn').count()).toBe(1);
    expect(await first.locator('.drawn').textContent()).toContain('0.31');
    expect(await first.locator('.candidates tr').last().textContent()).toContain('–');
    expect(await first.locator('.said-how').textContent()).toContain('upstream 412 ms, gateway 1.8 ms');
    expect(await dialog.locator('.inline summary').textContent()).toContain('6 replies drawn again');
    expect(await dialog.locator('.fallback').textContent()).toContain('re-asked directly');
    expect(await dialog.getByText('find_order({"order":"#W2378156"})').count()).toBe(1);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect(await page.evaluate('document.activeElement.className')).toContain('session-id');
  });
});
