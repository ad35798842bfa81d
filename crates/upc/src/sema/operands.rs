//! Constraints of C on operands that are shared data or pointers-to-shared. The C compiler would
//! find them too, but in what such expressions have become; all other expressions are left to it.

use super::ast::ExprKind;
use super::types::*;
use super::unit::Unit;
use crate::syntax::token::*;

impl Unit<'_> {
    /// A type for messages; "this type" where it has no short name.
    pub(crate) fn type_text(&self, ty: QualTy) -> String {
        if self.types.array(ty).is_some() {
            return "an array".to_owned();
        }
        if self.types.func(ty).is_some() {
            return "a function".to_owned();
        }
        if self.types.is_pts(ty) {
            return "a pointer-to-shared".to_owned();
        }
        if self.types.pointee(ty).is_some() {
            return "a pointer".to_owned();
        }
        if let Type::Typedef(name, _) = self.types.get(ty.id) {
            return format!("'{}'", self.name(*name));
        }
        match self.types.kind(ty) {
            Type::Basic { text, .. } => format!("'{text}'"),
            Type::Record(r) => {
                let record = &self.types.records[*r as usize];
                match record.tag {
                    Some(tag) => format!("'{} {}'", record.keyword, self.name(tag)),
                    None => format!("a {} without a name", record.keyword),
                }
            }
            Type::Enum(_) => "an enumeration".to_owned(),
            _ => "this type".to_owned(),
        }
    }

    /// The number of the structure or union that the type is.
    fn record_number(&self, ty: QualTy) -> Option<u32> {
        match self.types.kind(ty) {
            Type::Record(r) => Some(*r),
            _ => None,
        }
    }

    /// Structures convert to nothing but themselves. Only for values and objects that are shared.
    pub(crate) fn check_structures(&mut self, to: QualTy, e: ExprId, lo: TokIdx, what: &str) {
        let from = self.value_type(e);
        let (a, b) = (self.record_number(to), self.record_number(from));
        let known = |t| self.types.arithmetic(t).is_some() || self.types.pointee(t).is_some();
        let wrong = match (a, b) {
            (Some(a), Some(b)) => a != b,
            (Some(_), None) => known(from),
            (None, Some(_)) => known(to) && !self.types.is_pts(to),
            (None, None) => false,
        };
        if wrong {
            let text = format!(
                "cannot {what} {} as {}",
                self.type_text(from),
                self.type_text(to)
            );
            let hi = self.expr(e).hi;
            self.error(lo, hi, &text, "C99, 6.5.16.1", "");
        }
    }

    /// Checks a shared lvalue that is assigned to, or stepped with `++` or `--`.
    pub(crate) fn check_modified(&mut self, e: ExprId) {
        let ty = self.expr(e).ty;
        self.check_not_thread_constant(e, "it cannot be changed");
        if !self.is_shared(e) {
            return;
        }
        let (lo, hi) = (self.expr(e).lo, self.expr(e).hi);
        if self.types.array(ty).is_some() {
            let hint = "assign its elements, or copy it with upc_memcpy";
            let text = "an array cannot be assigned to";
            self.error(lo, hi, text, "C99, 6.5.16", hint);
        } else if self.types.quals(ty).bits & CONST != 0 {
            let text = "this shared object is const and cannot be changed";
            self.error(lo, hi, text, "C99, 6.5.16", "");
        }
    }

    /// MYTHREAD and THREADS are values, not objects.
    pub(crate) fn check_not_thread_constant(&mut self, e: ExprId, what: &str) {
        let inner = self.strip(e);
        let (name, rule) = match self.expr(inner).kind {
            ExprKind::MyThread => ("MYTHREAD", "UPC 1.3, 6.3.2"),
            ExprKind::Threads => ("THREADS", "UPC 1.3, 6.3.1"),
            _ => return,
        };
        let (lo, hi) = (self.expr(e).lo, self.expr(e).hi);
        let text = format!("{name} is a value and no object: {what}");
        self.error(
            lo,
            hi,
            &text,
            rule,
            "use a variable that holds a copy of it",
        );
    }

    /// Casts between pointers-to-shared and what is neither a pointer nor an integer.
    pub(crate) fn check_pts_cast(&mut self, to: QualTy, from: QualTy, (lo, hi): (TokIdx, TokIdx)) {
        let other = match (self.types.is_pts(to), self.types.is_pts(from)) {
            (true, false) => from,
            (false, true) => to,
            _ => return,
        };
        if self.types.is_floating(other) || self.types.record(other).is_some() {
            let text = format!(
                "a cast from {} to {}",
                self.type_text(from),
                self.type_text(to)
            );
            self.error(lo, hi, &text, "C99, 6.5.4", "");
        }
    }

    /// The index of an element of a shared array.
    pub(crate) fn check_index(&mut self, index: ExprId) {
        let ty = self.value_type(index);
        let wrong = self.types.is_floating(ty)
            || self.types.pointee(ty).is_some()
            || self.types.record(ty).is_some();
        if wrong {
            let (lo, hi) = (self.expr(index).lo, self.expr(index).hi);
            let text = format!("the index is {}, not an integer", self.type_text(ty));
            self.error(lo, hi, &text, "C99, 6.5.2.1", "");
        }
    }

    /// Operators that take no pointers, on pointers-to-shared.
    pub(crate) fn check_no_pointer(&mut self, p: P, lo: TokIdx, hi: TokIdx) {
        let text = format!("'{}' on a pointer-to-shared", p.text());
        self.error(lo, hi, &text, "C99, 6.5", "");
    }

    /// `.` and `->`: what stands before them must have members. `arrow` is whether it is `->`.
    pub(crate) fn check_member_base(&mut self, base: ExprId, record: QualTy, arrow: bool) {
        let ty = self.expr(base).ty;
        let (lo, hi) = (self.expr(base).lo, self.expr(base).hi);
        const RULE: &str = "C99, 6.5.2.3";
        if arrow && self.is_shared(base) && self.types.record(ty).is_some() {
            let text = format!("'->' on {}, which is no pointer", self.type_text(ty));
            self.error(lo, hi, &text, RULE, "write '.'");
        } else if !arrow && self.types.is_pts(ty) {
            self.error(lo, hi, "'.' on a pointer-to-shared", RULE, "write '->'");
        } else if self.types.shared(record).is_some()
            && self.types.record(record).is_none()
            && !self.types.is_unknown(record)
        {
            let text = format!("{} has no members", self.type_text(record));
            self.error(lo, hi, &text, RULE, "");
        }
    }

    /// Checks a shared lvalue that is called.
    pub(crate) fn check_called(&mut self, f: ExprId) {
        let ty = self.expr(f).ty;
        if self.is_shared(f) && self.types.pointee(ty).is_none() && !self.types.is_unknown(ty) {
            let (lo, hi) = (self.expr(f).lo, self.expr(f).hi);
            let text = format!("{} is called, which is no function", self.type_text(ty));
            self.error(lo, hi, &text, "C99, 6.5.2.2", "");
        }
    }

    /// An operand of `asm` whose constraint is at a token: what the assembly writes, or wants in
    /// memory, must be mapped.
    pub(crate) fn check_operand_of_asm(&mut self, constraint: TokIdx, e: ExprId) {
        let needs_lvalue = self.src.text_of(constraint).contains(['=', '+', 'm']);
        if self.options.several_nodes && needs_lvalue && self.is_shared(e) {
            let (lo, hi) = (self.expr(e).lo, self.expr(e).hi);
            let text = "shared data, which may be on another node, as an operand of 'asm' that is \
                        no value";
            self.error(lo, hi, text, "", "use a private variable in the 'asm'");
        }
    }
}
