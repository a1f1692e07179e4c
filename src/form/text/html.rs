//! The elements of HTML, which are formatting and not tags.

/// The names of the elements of HTML.
const ELEMENTS: &str = "\
    a abbr address area article aside audio b base bdi bdo big blockquote body br button canvas \
    caption center cite code col colgroup data datalist dd del details dfn dialog dir div dl dt \
    em embed fieldset figcaption figure font footer form frame frameset h1 h2 h3 h4 h5 h6 head \
    header hgroup hr html i iframe img input ins kbd label legend li link main map mark menu \
    meta meter nav noscript object ol optgroup option output p picture pre progress q rp rt ruby \
    s samp script search section select slot small source span strike strong style sub summary \
    sup svg table tbody td template textarea tfoot th thead time title tr track tt u ul var \
    video wbr";

/// Whether a name is one of an element of HTML, in any case.
pub(super) fn is_element(name: &str) -> bool {
    let mut names = ELEMENTS.split(' ');
    names.any(|it| it.eq_ignore_ascii_case(name))
}
