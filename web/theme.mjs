// What page and system ask for: dark or light, reduced motion, a finger in place of a mouse.

/**
 * @param theme     'auto', 'light' or 'dark': what the page that mounts us wants
 * @param onchange  () => void
 * @returns { dark, reduced, touch }, always as of now
 */
export function watchPreferences({ element, theme, signal, onchange }) {
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const reduced = matchMedia('(prefers-reduced-motion: reduce)');
  const touch = matchMedia('(pointer: coarse)');
  for (const query of [dark, reduced, touch]) query.addEventListener('change', onchange, { signal });

  // A page that has one scheme only wins over the system. No event tells that it changed, but pages change it by a
  // class or attribute high up.
  function schemeOfPage() {
    const [first, second = ''] = getComputedStyle(element).colorScheme.replace('only ', '').split(' ');
    return second ? '' : first;
  }
  if (theme === 'auto') {
    const observer = new MutationObserver(onchange);
    for (const place of new Set([document.documentElement, document.body, element])) {
      observer.observe(place, { attributes: true, attributeFilter: ['class', 'style', 'data-theme', 'data-bs-theme'] });
    }
    signal.addEventListener('abort', () => observer.disconnect());
  }

  return {
    get dark() {
      const wanted = theme === 'auto' ? schemeOfPage() : theme;
      return wanted === 'dark' || (wanted !== 'light' && dark.matches);
    },
    get reduced() {
      return reduced.matches;
    },
    get touch() {
      return touch.matches;
    },
  };
}
