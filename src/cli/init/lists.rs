//! Words that prompts use.

/// Words and groups of words, with `|` between them.
pub(super) struct List(pub(super) &'static str);

impl List {
    /// Whether a text is one of them.
    pub(super) fn is(&self, text: &str) -> bool {
        self.0.split('|').any(|it| it == text)
    }

    /// Whether a text in lower case has one of them, as whole words.
    pub(super) fn is_in(&self, text: &str) -> bool {
        self.0.split('|').any(|it| has_words(text, it))
    }

    /// Whether a text has one of them anywhere, in any case.
    pub(super) fn marks(&self, text: &str) -> bool {
        let text = text.to_lowercase();
        self.0.split('|').any(|it| text.contains(it))
    }
}

/// The words of a title, in lower case.
pub(super) fn words(title: &str) -> String {
    let title = title.replace(['_', '-'], " ").to_lowercase();
    let words = title.split(|it: char| !it.is_alphanumeric());
    words
        .filter(|it| !it.is_empty())
        .collect::<Vec<_>>()
        .join(" ")
}

/// The first of these words.
pub(super) fn first_word(text: &str) -> String {
    let text = words(text);
    text.split(' ').next().unwrap_or_default().to_owned()
}

/// Whether the first words of an item tell how to write.
pub(super) fn is_rule(name: &str) -> bool {
    let name = words(name) + " ";
    let starts = |rule: &str| name.starts_with(&format!("{rule} "));
    RULES.0.split('|').any(starts)
}

/// Whether a text has these words, one after the other, as whole words.
pub(super) fn has_words(text: &str, sought: &str) -> bool {
    format!(" {text} ").contains(&format!(" {sought} "))
}

/// Words of titles that are of the return and of nothing else.
pub(super) const RETURNS: List = List(
    "final message|final response|final answer|response format|final reply|\
     structured output|machine readable|machine parseable",
);

/// What a return is called.
pub(super) const NOUNS: List =
    List("output|outputs|report|reporting|response|responses|reply|answer|handoff|completion");

/// What a return can be called if its format is told.
pub(super) const REVIEWS: List =
    List("review|findings|finding|analysis|assessment|feedback|plan|document");

/// What the shape of a text is called.
pub(super) const SHAPES: List = List(
    "format|template|structure|schema|contract|shape|requirements|guidance|specification|\
     spec|layout",
);

/// Words that may follow the shape in a title.
pub(super) const BEHIND: List = List(
    "and|for|to|of|in|with|when|by|mode|required|mandatory|strict|json|yaml|markdown|text|below|only|must|template|\
     specification|contract|schema|structure|format|requirements|return|1|2|3",
);

/// Titles of what comes when the work is done.
pub(super) const DONE: List = List(
    "what to produce|what you produce|output example|when implementation is complete|\
     when complete|reporting back|report back|when you are done|when done|when finished|on completion|\
     how to report|status protocol|completion report|example output|produce the review",
);

/// What a sentence says of a shape that stands below it.
pub(super) const SHOWN: List = List(
    "this block|this shape|this format|this exact format|this structure|these sections|following format|following structure|\
     following sections|following shape|following template|this template",
);

/// What the end of a return is called.
pub(super) const ENDS: List = List("deliverable|deliverables|verdict|result|results|summary");

/// Languages of fences that can be a template.
pub(super) const LANGUAGES: List =
    List("|markdown|md|text|txt|json|jsonc|json5|yaml|yml|plaintext");

/// Titles of parts of a region that tell how to write, and are not written.
pub(super) const GUIDANCE: List = List(
    "rules|guidelines|example|examples|notes|note|important|constraints|format|tone|style|\
     template|step|when|how|requirements|instructions|severity|levels|file|structure|principles",
);

/// Words of a sentence that asks for a last line.
pub(super) const LAST: List = List(
    "verdict line|status line|end with|end your|end the|finish with|final line|last line|\
     ends with|must end|shape",
);

/// Words for the last line in other languages.
pub(super) const FOREIGN_LAST: List = List(
    "最后一行|最終行|最後の行|마지막 줄|마지막 행|последняя строка|последней строке|última línea|última linha|\
     letzte zeile|dernière ligne",
);

/// Words of a sentence that lists alternatives, in several languages.
pub(super) const ONE_OF: List = List(
    "one of|одна из|один из|одно из|uno de|una de|um de|uma de|eine der|eines von|une des|un des|其中之一|いずれか",
);

/// Words that say that the work is done, in other languages.
pub(super) const FOREIGN_END: List = List(
    "完成后|完成後|最后|最後|最终|完了後|終了後|완료 후|마지막|по завершении|в конце|al terminar|al finalizar|ao terminar|\
     ao final|à la fin|am ende|nach abschluss",
);

/// Words of a sentence that asks for a first line.
pub(super) const FIRST: List =
    List("first line|begin with|begin your|start with|start your|open with");

/// Words before the number of a limit.
pub(super) const BOUNDS: List = List(
    "under|at most|max|maximum|maximum of|no more than|up to|fewer than|less than|below|hard cap|\
     within",
);

/// What a limit must be of.
pub(super) const WHOLE: List = List(
    "return|response|report|message|output|reply|final|entire|whole|total|answer|your summary",
);

/// Words of titles of examples, in several languages.
pub(super) const EXAMPLE: List =
    List("example|examples|exemplo|exemplos|ejemplo|ejemplos|exemple|exemples|beispiel|示例|例");

/// Words of titles of interfaces of programs, whose responses are none of the agent.
pub(super) const API: List = List("api|apis|http|rest|graphql|endpoint|endpoints");

/// Titles that have kinds of things to deliver below them.
pub(super) const KINDS: List = List("outputs|deliverables");

/// Words of titles of something else than the return.
pub(super) const OTHER: List = List(
    "input|inputs|approach|style|location|examples|commit|pull|pr|memory|escalation|bug|defect|\
     issue|ticket|test|tests|error|principles|guidelines|rules|standards|checklist|process|log|logging|\
     directory|checkpoint|files|flow|workflow|handling|parse|incident|emergency|crisis|disaster|api|http",
);

/// Beginnings of a sentence before a fence or a list that asks for the return.
pub(super) const DEMANDS: List = List(
    "return|respond|reply|report|answer|output|devuelve|responde|retorne|retourne|antworte|end with|finish with|your response|your report|your review|your analysis|your answer|your reply|your feedback|your summary|\
     your output|your final|when done|when you are done|provide",
);

/// Titles that are of nothing but the return.
pub(super) const PLAIN: List = List(
    "output|your output|expected output|report response|response|report|your report|answer|reply",
);

/// What the last message of an agent is called.
pub(super) const FINAL: List = List(
    "final response|final message|response format|return format|return the following|respuesta final|final answer|\
     final output|output final|last message|closing message|final chat message",
);

/// Verbs that ask for a return if what they show is one.
pub(super) const SHOWS: List = List(
    "print|present|produce|give|deliver|show|share|emit|structure|format|organize|organise|categorize|group",
);

/// What such a verb shows.
pub(super) const SHOWABLE: List = List(
    "summary|report|reply|response|message|answer|verdict|findings|review|plan|brief|analysis|feedback",
);

/// Words of names of files that were written.
pub(super) const WRITTEN: List = List(
    "changed|modified|created|written|touched|updated|added|edited|generated|produced|changes",
);

/// Words of names of files that were only read, or are yet to be written.
pub(super) const NOT_WRITTEN: List = List(
    "reviewed|read|analyzed|analysed|examined|checked|scanned|relevant|inspected|to|should|\
     deleted|removed|synthesized",
);

/// Verbs of a sentence that says that a file is written.
pub(super) const WRITES: List =
    List("write|save|saved|written|output|create|store|produce|generate");

/// Names of a status. A word such as "review" or "overall" may stand before them.
pub(super) const STATUS: List = List(
    "status|verdict|decision|result|outcome|recommendation|conclusion|assessment|approval|gate|judgement|\
     judgment|disposition|ruling|readiness|\
     判定|状态|結論|结论|ステータス|결과|판정|상태|вердикт|статус|итог|результат|wynik|werdykt|ergebnis|urteil|résultat|resultado|veredito|esito|sonuç|karar|veredicto|estado",
);

/// Words that may stand before or after the name of a status.
pub(super) const AROUND: List = List(
    "overall|최종|итоговый|общий|final|review|merge|task|completion|audit|security|validation|verification|quality|\
     implementation|agent|phase|qa|report|work|run|code|compliance|execution|step|analysis|exit|\
     release|plan|build",
);

/// Words for success that everybody understands as that.
pub(super) const SUCCESS: List = List(
    "pass|passed|done|complete|completed|approve|approved|ok|success|successful|succeeded|accept|\
     accepted|passing|ready|verified|\
     通过|批准|完成|成功|合格|承認|完了|승인|통과|완료|합격|aprobado|aprobada|aprovado|aprovada|completado|concluído|\
     genehmigt|bestanden|approuvé|validé|одобрено|пройдено|готово|no issues|no issues found|no findings",
);

/// Other words of a status.
pub(super) const OUTCOMES: List = List(
    "fail|failed|block|blocked|reject|rejected|partial|error|unknown|shipped|confirmed|refuted|\
     clean|needs changes|request changes|\
     失败|拒绝|不通过|失敗|却下|不合格|차단|반려|실패|거부|rechazado|bloqueado|reprovado|abgelehnt|rejeté|bloqué|отклонено|провал",
);

/// Words of a severity or a risk, which many templates have besides a status.
pub(super) const SEVERITIES: List = List(
    "critical|high|medium|low|major|minor|warning|warnings|warn|suggestion|suggestions|nit|nits|blockers|info|blocker|should fix|must fix",
);

/// Words that rules for the work begin with, and names do not.
pub(super) const RULES: List = List(
    "always|never|do not|don t|must|avoid|ensure|be|explain|show|highlight|include|propose|provide|describe|\
     confirm|suggest|identify|use|keep|make|ask|write|read|focus|prioritize|consider|prefer|stay|add|verify|\
     check|give|tell|flag|note any|collapse|cite|mention|start with|end with|return|report any|document any|for each|for every|each|every|per|if",
);

/// The words of a title that is of the report alone.
pub(super) const REPORT: List = List("report|reply|answer|final|your|the|completion|handoff|exit");

/// Verbs of a sentence that asks for what a return has.
pub(super) const ASKS: List = List(
    "return|report|include|includes|provide|contain|contains|containing|output|respond|reply|produce|deliver|\
     state|summarize|summarise|send|give|list|cover|answer|end|finish|consists|has|have|with|sections|following|\
     format|structure|structured|organized|formatted|fields",
);

/// Words that stand for a value.
pub(super) const PLACEHOLDERS: List =
    List("string|text|number|value|list|reason|name|path|file|description|details|summary|n|x");

/// Words for a return, for its format, and for its structure, in other languages.
pub(super) const FOREIGN: [List; 3] = [
    List(
        "输出|返回|报告|汇报|回报|回复|答复|总结|结果|交付|輸出|回報|回覆|總結|返却|出力|報告|回答|応答|レポート|\
         サマリ|結果|출력|반환|보고|답변|요약|결과|salida|respuesta|resumen|informe|reporte|reportá|reportar|совет|saída|resposta|\
         relatório|resumo|rapport|sortie|réponse|résumé|ausgabe|rückgabe|rückmeldung|bericht|antwort|отчёт|отчет|\
         ответ|вывод|звіт|відповідь|çıktı|rapor|özet|risposta|rapporto|resoconto|wynik|raport|odpowied|uitvoer|\
         antwoord|báo cáo|đầu ra|kết quả|laporan|keluaran|výstup|zpráva",
    ),
    List(
        "格式|方式|模板|协议|協議|フォーマット|形式|規約|テンプレート|형식|양식|템플릿|포맷|프로토콜|규약|formato|format|\
         biçim|şablon|формат|шаблон|cómo |plantilla|vorlage|\
         szablon|mẫu|định dạng|šablon",
    ),
    List("结构|結構|構成|構造|구조|структур|struktur|estructura|estrutura|struttura"),
];
