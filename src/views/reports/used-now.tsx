import type { LicencesUsed } from '#models/licence-reports.ts';
import { countedFeatures } from '#models/seats.ts';
import { SeatBar } from '#src/components/seat-bar.tsx';
import { useText } from '#src/components/text.ts';

/** What is in use now, of the whole and of each group right below. */
export function UsedNow({ used }: { used: LicencesUsed }) {
  const { t, locale } = useText();
  return (
    <section className="card" aria-labelledby="used-now">
      <header className="card-head">
        <h2 id="used-now">{t('areas.reports.now')}</h2>
      </header>
      <div className="card-body stack">
        <div className="report-seats">
          {used.seats.map((seat) => (
            <SeatBar key={seat.feature} label={t(`list.licences.counted.${seat.feature}`)} seats={seat} />
          ))}
        </div>
        {used.parts.length > 0 && (
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls is reached by keys
          <div className="report-scroll" tabIndex={0} role="region" aria-label={t('areas.reports.by_group')}>
            <table className="report-table">
              <thead>
                <tr>
                  <th scope="col">{t('areas.reports.group')}</th>
                  {countedFeatures.map((feature) => (
                    <th key={feature} scope="col" className="report-figure">
                      {t(`list.licences.counted.${feature}`)}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {used.parts.map((part) => (
                  <tr key={part.group.id}>
                    <th scope="row">{part.group.name}</th>
                    {countedFeatures.map((feature) => (
                      <td key={feature} className="report-figure" data-label={t(`list.licences.counted.${feature}`)}>
                        {(part.used[feature] ?? 0).toLocaleString(locale)}
                      </td>
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        )}
      </div>
    </section>
  );
}
