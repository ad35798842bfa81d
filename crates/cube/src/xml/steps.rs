//! Walks over the metric tree and the call tree without recursion: a recursive program can make a
//! call tree deeper than a stack.

/// One step of a depth-first walk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Step {
    Open(usize),
    Close(usize),
}

/// Depth-first steps over `parents`, in which every parent has a smaller index than its children;
/// children in the order of their indices. Err is the index of the first entry that breaks this
/// rule.
pub(crate) fn steps(parents: &[Option<usize>]) -> Result<Vec<Step>, usize> {
    let mut first_child = vec![None; parents.len()];
    let mut next_sibling = vec![None; parents.len()];
    let mut first_root = None;
    // Backwards, so that each list comes out in the order of indices.
    for (index, parent) in parents.iter().enumerate().rev() {
        let head = match *parent {
            None => &mut first_root,
            Some(p) if p < index => &mut first_child[p],
            Some(_) => return Err(index),
        };
        next_sibling[index] = head.replace(index);
    }

    let mut steps = Vec::with_capacity(2 * parents.len());
    let mut next = first_root;
    let mut open = Vec::new();
    loop {
        match next {
            Some(index) => {
                steps.push(Step::Open(index));
                open.push(index);
                next = first_child[index];
            }
            None => match open.pop() {
                Some(index) => {
                    steps.push(Step::Close(index));
                    next = next_sibling[index];
                }
                None => return Ok(steps),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Step::*;
    use super::*;

    #[test]
    fn forest_in_depth_first_order() {
        let parents = [None, Some(0), None, Some(0), Some(1)];
        assert_eq!(
            steps(&parents),
            Ok(vec![
                Open(0),
                Open(1),
                Open(4),
                Close(4),
                Close(1),
                Open(3),
                Close(3),
                Close(0),
                Open(2),
                Close(2)
            ])
        );
    }

    #[test]
    fn a_parent_must_come_first() {
        assert_eq!(steps(&[Some(0)]), Err(0));
        assert_eq!(steps(&[None, Some(2), None]), Err(1));
        assert_eq!(steps(&[None, Some(7)]), Err(1));
    }
}
