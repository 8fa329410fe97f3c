import { allLicensed, type LicenceInfo } from '#models/licence-info.ts';
import { useText } from '#src/components/text.ts';

const blocks = Object.keys(allLicensed) as (keyof LicenceInfo)[];

/** What all licences give together, feature by feature. */
export function Features({ features }: { features: LicenceInfo }) {
  const { t } = useText();
  /** A block's own switch goes by the block's name. */
  const word = (block: string, key: string): string => t(`areas.groups.fields.licenseInfo.info.${key === 'is_enabled' ? block : `${block}.${key}`}`);
  return (
    <section className="card licences-features" aria-labelledby="features-title">
      <header className="card-head">
        <h2 id="features-title">{t('areas.licenses.features')}</h2>
      </header>
      <table className="feature-table">
        <caption className="unseen">{t('areas.licenses.features')}</caption>
        <thead className="unseen">
          <tr>
            <th scope="col">{t('areas.licenses.feature')}</th>
            <th scope="col">{t('areas.licenses.state')}</th>
          </tr>
        </thead>
        {blocks.map((block) => (
          <tbody key={block}>
            {Object.entries(features[block]).map(([key, value]) => (
              <tr key={key}>
                <th scope="row">{word(block, key)}</th>
                <td>
                  {typeof value === 'boolean' ? (
                    <span className={value ? 'tag tag-good' : 'tag'}>{t(value ? 'areas.licenses.on' : 'areas.licenses.off')}</span>
                  ) : (
                    (value ?? t('list.licences.unlimited'))
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        ))}
      </table>
    </section>
  );
}
